// Send a press of a button again if it did not reach the server. A button looks pressed until the server answers. If a
// press does not reach the server, the page says so. It sends the same request again after a while, and when the
// connection is restored, until the player cancels the press or makes the same press again. If the page is closed, its
// waiting presses are lost. A request with a move contains a key, so the server plays the move only once. It also
// contains the ply, so the server refuses a move that is too late.
import "./vendor.js";
import { accepted, BUSY, closeMenu, probe, refuse, renew, whenLive } from "./connection.js";
import { all, nameOf, need } from "./dom.js";

const PATIENCE_MS = 8_000;
const SLOW_MS = 1_200;
const AGAIN_MS = 1_500;
const LONGEST_MS = 5_000;

/**
 * A press without an answer yet.
 * @typedef {{
 *   name: string, action: string, body: string, what: string, form: HTMLFormElement | null,
 *   control: HTMLElement | null, attempts: number,
 * }} Press
 */

const bar = need("unsent", HTMLElement);
const words = need("unsent-what", HTMLElement);

/** @type {WeakMap<object, Press>} */
const asked = new WeakMap(); // by htmx's request
/** @type {Set<Press>} */
const first = new Set(); // sent for the first time
/** @type {Map<string, Press>} */
const waiting = new Map(); // presses that have not reached the server, the newest of each name
/** @type {Press | null} */
let told = null;
let timer = 0;
let sending = false;

/**
 * Show a press without an answer. Requests that the page makes on its own (hx-trigger="load") have no name: nobody waits
 * for them.
 * @param {Press} press
 * @param {boolean} lost
 */
function tell(press, lost) {
  if (!press.what) return;
  told = press;
  words.textContent = ((lost ? bar.dataset.lost : bar.dataset.waits) ?? "").replace("{what}", press.what);
  bar.hidden = false;
}

/** Show the presses that are still waiting, if any. */
function tellRest() {
  const next = [...waiting.values()].findLast(({ what }) => what);
  if (next) tell(next, true);
  else if (first.size === 0 || (told && !first.has(told))) bar.hidden = true;
}

/** Stop showing a press, because it was answered, refused or replaced. @param {Press} press */
function settle(press) {
  const marked = press.form ? all("[data-sent]", HTMLElement, press.form) : [];
  for (const control of [...marked, press.control]) control?.removeAttribute("data-sent");
  first.delete(press);
  if (waiting.get(press.name) === press) waiting.delete(press.name);
  if (waiting.size === 0) clearTimeout(timer);
  tellRest();
}

/** Put a message that was not posted back into its field, before all that was written since. @param {Press} press */
function giveBack({ form, body }) {
  const text = new URLSearchParams(body).get("text") ?? "";
  for (const field of form ? all(".chat-form input[name=text]", HTMLInputElement, form) : [])
    field.value = [text, field.value].filter(Boolean).join(" ");
}

/** Store a press, to send it again after a while. @param {Press} press */
function keep(press) {
  const older = waiting.get(press.name);
  if (older && older !== press) settle(older); // the newest press is the player's wish
  first.delete(press);
  waiting.set(press.name, press);
  press.control?.setAttribute("data-sent", "lost");
  tell(press, true);
  clearTimeout(timer);
  timer = setTimeout(again, Math.min(AGAIN_MS * 2 ** press.attempts, LONGEST_MS));
}

/** Send the waiting presses again, one after the other. */
async function again() {
  clearTimeout(timer);
  if (sending) return;
  sending = true;
  for (const press of [...waiting.values()]) {
    press.attempts += 1;
    try {
      const answer = await fetch(press.action, {
        method: "POST",
        headers: { "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded" },
        body: press.body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (BUSY.includes(answer.status)) throw new Error("the house is busy");
      if (waiting.get(press.name) === press) await take(press, answer);
    } catch {
      if (waiting.get(press.name) === press) keep(press);
      probe();
      break;
    }
  }
  sending = false;
}

/**
 * Handle the answer to a repeated press. If a press without a key succeeded at the first attempt, the server refuses
 * the repetition. Then the page already shows the result.
 * @param {Press} press
 * @param {Response} answer
 */
async function take(press, answer) {
  const text = await answer.text();
  const place = answer.headers.get("HX-Redirect");
  settle(press);
  if (answer.ok) closeMenu(press.form);
  else giveBack(press);
  if (place) location.href = place;
  else if (answer.ok && text) renew(() => false);
  else if (answer.ok) accepted();
  else if (new URLSearchParams(press.body).has("key")) refuse(text);
}

/** Return a new key, so that a message sent twice is posted once. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

document.addEventListener("htmx:config:request", (event) => {
  const { request, sourceElement } = event.detail.ctx;
  if (request.method !== "POST" || request.action.endsWith("/draft")) return;
  request.timeout = PATIENCE_MS;
  const control = request.submitter instanceof HTMLElement ? request.submitter : null;
  const message = request.action.endsWith("/chat");
  if (message && request.body instanceof FormData) request.body.set("key", newKey());
  const fields = request.body instanceof FormData ? [...request.body] : [];
  const body = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  /** @type {Press} */
  const press = {
    name: message ? body : `${request.action} ${control?.getAttribute("name") ?? ""}`,
    action: request.action,
    body,
    what: (control && nameOf(control)) || nameOf(sourceElement),
    form: sourceElement instanceof HTMLFormElement ? sourceElement : null,
    control,
    attempts: 0,
  };
  asked.set(event.detail.ctx, press);
  control?.setAttribute("data-sent", "yes");
});
document.addEventListener("htmx:before:request", (event) => {
  const press = asked.get(event.detail.ctx);
  if (!press) return;
  const older = waiting.get(press.name);
  if (older) settle(older);
  if (press.form?.matches(".chat-form")) press.form.reset(); // or a second press would send the message twice
  first.add(press);
  setTimeout(() => {
    if (first.has(press)) tell(press, false);
  }, SLOW_MS);
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const press = asked.get(ctx);
  if (!press || !ctx.response || BUSY.includes(ctx.response.status)) return;
  settle(press);
  if (ctx.response.status >= 400) giveBack(press);
});
document.addEventListener("htmx:finally:request", (event) => {
  const press = asked.get(event.detail.ctx);
  if (!press || !first.has(press)) return;
  keep(press);
  probe();
});
need("unsent-forget", HTMLButtonElement).addEventListener("click", () => {
  const press = told;
  if (press && waiting.get(press.name) === press) giveBack(press);
  if (press) settle(press);
  bar.hidden = waiting.size === 0;
});
whenLive(again);
addEventListener("online", again);
