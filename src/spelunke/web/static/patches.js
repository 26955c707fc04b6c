// Assemble the parts of the page in a message of the server. If the page has an earlier version of a part, the message
// contains a patch: a pair of numbers copies pieces of the old version, and a text is new
// (src/spelunke/web/patches.py).
const CUT = ' class="';

/** The pieces of each part's newest version. @type {Map<string, string[]>} */
const held = new Map();

/** @param {(number | string)[]} patch @param {string[]} before */
function join(patch, before) {
  /** @type {string[]} */
  const pieces = [];
  for (let at = 0; at < patch.length; at++) {
    const one = patch[at];
    if (typeof one === "string") pieces.push(...one.split(CUT));
    else pieces.push(...before.slice(one, Number(patch[++at])));
  }
  return pieces;
}

/** @param {string} data */
function unfold(data) {
  /** @type {{ parts: Record<string, (number | string)[]>, html: string }} */
  const { parts, html } = JSON.parse(data);
  let told = "";
  for (const [name, patch] of Object.entries(parts)) {
    const pieces = join(patch, held.get(name) ?? []);
    held.set(name, pieces);
    told += `<hx-partial hx-target="#${name}" hx-swap="morph">${pieces.join(CUT)}</hx-partial>`;
  }
  return told + html;
}

let version = 0; // of the table, in the newest message

document.addEventListener("htmx:sse:before:message", ({ detail: { message } }) => {
  if (message.event) return;
  message.data = unfold(message.data);
  version = Math.max(version, Number.parseInt(message.id, 10) || 0);
});
// The answer to a press may arrive after newer messages. Then the page already shows what followed.
document.addEventListener("htmx:before:swap", (event) => {
  const shown = event.detail.ctx.response?.headers.get("spelunke-version");
  if (shown && Number(shown) < version) event.preventDefault();
});
