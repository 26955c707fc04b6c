// No press is lost. What is sent looks pressed until it is answered. What has not reached the house says so, and is sent
// again, as it was pressed, once the line is whole: its key makes the house play it once, and its ply lets the house refuse
// what came too late.
import "./vendor.js";
import { accepted, BUSY, probe, refuse, whenLive } from "./connection.js";
import { need } from "./dom.js";

const PATIENCE_MS = 6_000;
const SLOW_MS = 1_200;
const AGAIN_MS = 1_500;
const LONGEST_MS = 5_000;

/**
 * Something that was sent and not answered yet.
 * @typedef {{ action: string, body: string, what: string, control: HTMLElement | null, attempts: number, lost: boolean }} Press
 */

const bar = need("unsent", HTMLElement);
const words = need("unsent-what", HTMLElement);

/** @type {Map<object, Press>} */
const first = new Map(); // by the request that htmx makes for it
/** @type {Press | null} */
let waiting = null; // the newest that has not reached the house
let timer = 0;

/** @param {Press} press @param {boolean} lost */
function tell(press, lost) {
  press.lost = lost;
  words.textContent = ((lost ? bar.dataset.lost : bar.dataset.waits) ?? "").replace("{what}", press.what);
  bar.hidden = false;
}

/** The press is over: answered, refused or forgotten. @param {Press} press */
function settle(press) {
  press.control?.removeAttribute("data-sent");
  if (press === waiting) {
    waiting = null;
    clearTimeout(timer);
  }
  if (!waiting && first.size === 0) bar.hidden = true;
}

/** Send it again after a while. @param {Press} press */
function keep(press) {
  if (waiting && waiting !== press) settle(waiting); // the newest press is what its owner wants
  waiting = press;
  press.control?.setAttribute("data-sent", "lost");
  tell(press, true);
  clearTimeout(timer);
  timer = setTimeout(again, Math.min(AGAIN_MS * 2 ** press.attempts, LONGEST_MS));
}

async function again() {
  clearTimeout(timer);
  const press = waiting;
  if (!press) return;
  press.attempts += 1;
  try {
    const answer = await fetch(press.action, {
      method: "POST",
      headers: { "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded" },
      body: press.body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (BUSY.includes(answer.status)) throw new Error("the house is busy");
    if (press === waiting) await take(press, answer);
  } catch {
    if (press === waiting) keep(press);
    probe();
  }
}

/**
 * Take an answer to what was sent again. What has no key may have been done by the first try: then it is refused now, and
 * the page shows what is true.
 * @param {Press} press
 * @param {Response} answer
 */
async function take(press, answer) {
  const text = await answer.text();
  const place = answer.headers.get("HX-Redirect");
  settle(press);
  if (place) location.href = place;
  else if (answer.ok && text) location.reload();
  else if (answer.ok) accepted();
  else if (new URLSearchParams(press.body).has("key")) refuse(text);
}

/** What the control says that was pressed. @param {HTMLElement | null | undefined} control @param {Element} source */
function nameOf(control, source) {
  const label = control?.getAttribute("aria-label") || (control?.textContent ?? "");
  return (label || source.getAttribute("aria-label") || "").replace(/\s+/g, " ").trim();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request, sourceElement } = event.detail.ctx;
  if (request.method !== "POST" || request.action.endsWith("/draft")) return;
  request.timeout = PATIENCE_MS;
  const control = request.submitter instanceof HTMLElement ? request.submitter : null;
  const fields = request.body instanceof FormData ? [...request.body] : [];
  /** @type {Press} */
  const press = {
    action: request.action,
    body: new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString(),
    what: nameOf(control, sourceElement),
    control,
    attempts: 0,
    lost: false,
  };
  if (waiting) settle(waiting);
  first.set(event.detail.ctx, press);
  control?.setAttribute("data-sent", "yes");
  setTimeout(() => {
    if (first.has(event.detail.ctx)) tell(press, false);
  }, SLOW_MS);
});
document.addEventListener("htmx:after:request", (event) => {
  const press = first.get(event.detail.ctx);
  if (!press || BUSY.includes(event.detail.ctx.response?.status ?? 0)) return;
  first.delete(event.detail.ctx);
  settle(press);
});
document.addEventListener("htmx:finally:request", (event) => {
  const press = first.get(event.detail.ctx);
  if (!press) return;
  first.delete(event.detail.ctx);
  keep(press);
  probe();
});
need("unsent-forget", HTMLButtonElement).addEventListener("click", () => {
  if (waiting) settle(waiting);
  bar.hidden = true;
});
whenLive(again);
addEventListener("online", again);
