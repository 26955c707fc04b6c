// Show the state of the connection in the header, and the errors with which the server refuses actions.
//
// The server sends a heartbeat every data-beat milliseconds, and less often while nothing happens. Each heartbeat holds
// the time until the next heartbeat. After twice this time without data, the connection counts as lost, even if the
// browser has not noticed. Then the page sends plain requests repeatedly. When a request succeeds, the page closes the
// silent stream and opens a new one. It ignores the browser's own offline state, because the server may run on this
// machine, without any network.
import { all, closest, need } from "./dom.js";
import { afterPush, holdingPushes } from "./pushes.js";

/** @typedef {"live" | "wait" | "lost"} State */

const WATCH_MS = 250;
const PING_MS = 45_000; // shorter than STREAM_MS in presence.py, with time to repeat a lost request
const SELDOM_MS = 25_000;
const ASK_MS = 2_000; // timeout of a request
const AGAIN_MS = 1_000;
const RENEW_MS = 1_000;
const PATIENT_MS = 4_000; // a stream opens or reconnects within this time
const MANY = 2;
const READ_MS = 5_000; // time to read a refusal
const LONG_MS = 15_000;

/** The HTTP statuses of an overloaded server, or of a proxy before it. */
export const BUSY = [502, 503, 504];

const place = need("connection", HTMLElement);
const trouble = need("trouble", HTMLElement);
const stream = need("stream", HTMLElement);
/** Return the time without a message after which a stream counts as lost. @param {string | undefined} beatMs */
const lateAfter = (beatMs) => MANY * Number(beatMs || "1500") - 2 * WATCH_MS + 250;

let lateMs = lateAfter(stream.dataset.beat);
let heard = performance.now();
let cut = false; // whether requests fail, whatever the stream sends
let asking = false;
let asked = performance.now();
let reached = 0; // consecutive successful requests without a stream
let opening = false; // whether the first stream is being opened
let opened = performance.now();
/** htmx's data about the stream, after the stream was open once. @type {StreamConnection | null} */
let connection = null;
/** @type {(() => void)[]} */
const reactions = [];

/** Return whether the stream is working. */
export function live() {
  return place.dataset.state === "live";
}

/**
 * Call `react` whenever the connection is restored.
 * @param {() => void} react
 */
export function whenLive(react) {
  reactions.push(react);
}

/** @param {State} state */
function show(state) {
  if (place.dataset.state === state) return;
  place.dataset.state = state;
  place.textContent = place.dataset[state] ?? "";
  if (state === "live") for (const react of reactions) react();
}

const late = () => performance.now() - heard > lateMs;

function hear() {
  heard = performance.now();
  if (cut) return;
  reached = 0;
  show("live");
}

/** Close a stream that does not work, although the server can be reached. htmx then opens a new one. */
function revive() {
  if (!late()) {
    if (connection?.reader) show("live");
    return;
  }
  reached += 1;
  connection?.reader?.cancel();
  connection?.delayCanceller?.();
}

/**
 * Return whether a request reaches the server. Without cookies, the page of a table can be requested without effect:
 * with them, the request would close an open hand, or use up the mark of a hand that is about to be shown.
 * @param {string} address @param {RequestCredentials} credentials
 */
export async function reach(address, credentials) {
  try {
    await fetch(address, { credentials, signal: AbortSignal.timeout(ASK_MS) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Check whether requests reach the server. `watch` repeats this check, most often while requests fail or no stream
 * works.
 */
export async function probe() {
  if (asking || document.hidden) return;
  asking = true;
  cut = !(await reach(stream.dataset.here ?? "", "same-origin"));
  asking = false;
  asked = performance.now();
  if (cut) {
    reached = 0;
    show("lost");
  } else {
    revive();
  }
}

/** Request a stream if there is none that htmx would reopen. */
function open() {
  const now = performance.now();
  if (connection || opening || now - opened < AGAIN_MS) return;
  opened = now;
  stream.dispatchEvent(new Event("reopen"));
}

function watch() {
  if (document.hidden || holdingPushes()) {
    heard = performance.now();
    return;
  }
  if (live() && late()) show("lost");
  open();
  const wait = live() ? PING_MS : Math.min(AGAIN_MS * 2 ** reached, SELDOM_MS);
  if (performance.now() - asked > wait) probe();
}

document.addEventListener("htmx:before:request", (event) => {
  if (event.detail.ctx.sourceElement === stream) opening = true;
});
document.addEventListener("htmx:finally:request", (event) => {
  if (event.detail.ctx.sourceElement === stream) opening = false;
});
document.addEventListener("htmx:sse:before:connection", (event) => {
  connection = event.detail.connection;
  if (connection.attempt > 0) show("lost");
});
document.addEventListener("htmx:sse:after:connection", () => {
  lateMs = lateAfter(stream.dataset.beat);
  hear();
});
document.addEventListener("htmx:sse:before:message", ({ detail: { message } }) => {
  if (message.event === "beat") lateMs = lateAfter(message.data);
  hear();
});
document.addEventListener("htmx:sse:error", () => show("lost"));
document.addEventListener("htmx:sse:close", () => {
  connection = null;
  show("lost");
});
document.addEventListener("htmx:error", (event) => {
  if (event.detail.ctx?.sourceElement === stream) show("lost");
});
addEventListener("offline", probe);
addEventListener("online", () => {
  connection?.reader?.cancel();
  probe();
});
setInterval(watch, WATCH_MS);

document.addEventListener("htmx:response:error", (event) => {
  const { request, text, response, sourceElement } = event.detail.ctx;
  if (BUSY.includes(response?.status ?? 0)) return;
  const streams = sourceElement === stream; // refused, for example because too many pages are open
  if (request.method === "POST" || streams) refuse(text ?? "");
  if (streams) opened = performance.now() + SELDOM_MS - AGAIN_MS;
});

let refused = 0;
let leaving = 0;

/** Remove the shown error after this time. @param {number} ms */
function forget(ms) {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    trouble.textContent = "";
  }, ms);
}

/** If the error lies on the field in which the person writes, scroll the field out from under it. */
function uncover() {
  const field = document.activeElement;
  if (!field?.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
  const [under, over] = [field.getBoundingClientRect(), trouble.getBoundingClientRect()];
  const apart = under.right < over.left || over.right < under.left || over.bottom < under.top;
  if (!apart && under.bottom > over.top) scrollBy({ top: under.bottom - over.top + 8, behavior: "instant" });
}

/** Return the visible part of the board that shows the reason of the error. */
const reasonShown = () =>
  all("[data-refusal]", HTMLElement).find(
    (one) => one.textContent && one.checkVisibility() && trouble.textContent?.includes(one.textContent),
  );

/**
 * Show an error for LONG_MS at most. The next update or choice removes it, but not before READ_MS. If the board shows its reason
 * too, only screen readers get it again.
 * @param {string} text
 */
export function refuse(text) {
  trouble.innerHTML = text;
  const shown = reasonShown();
  trouble.classList.toggle("sr", shown !== undefined);
  shown?.scrollIntoView({ block: "nearest" });
  if (!shown) uncover();
  refused = performance.now();
  forget(LONG_MS);
}
// The preview of a draft may come after the error.
document.addEventListener("htmx:after:swap", () => {
  if (trouble.textContent && reasonShown()) trouble.classList.add("sr");
});
function outdate() {
  if (trouble.textContent) forget(Math.max(0, READ_MS - (performance.now() - refused)));
}
afterPush(outdate);
document.addEventListener("change", outdate); // other cards are picked now

/** Close the menu in which a press was accepted. @param {unknown} form */
export function closeMenu(form) {
  const menu = closest(form, "details.menu", HTMLDetailsElement);
  if (menu) menu.open = false;
}

/** Return whether the person has opened a menu, is writing something, or has sent something, which a reload would undo. */
function inUse() {
  if (document.querySelector("details.menu[open], #unsent:not([hidden])")) return true;
  const at = document.activeElement;
  const writes = at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && at.type === "text");
  return writes && at.value !== at.defaultValue;
}

/** Remove errors after an accepted action. If there is no stream to show its effect, reload the page. */
export function accepted() {
  trouble.textContent = "";
  if (live()) return;
  const coming = connection || (opening && performance.now() - opened < PATIENT_MS);
  setTimeout(renew, coming ? PATIENT_MS : RENEW_MS, live);
}

/**
 * Reload the page as soon as the server can be reached and the person uses no menu and writes nothing. Give up if
 * `needless` returns true. Without a connection, a reload would lead to the browser's error page, which stays.
 * @param {() => boolean} needless
 */
export async function renew(needless) {
  if (needless()) return;
  const possible = !inUse() && (await reach(location.href, "omit")) && !inUse();
  if (needless()) return; // the stream may work by now
  if (possible) location.reload();
  else setTimeout(renew, RENEW_MS, needless);
}

document.addEventListener("htmx:after:request", (event) => {
  const { request, response, sourceElement } = event.detail.ctx;
  const draft = request.action.endsWith("/draft");
  if (request.method !== "POST" || !response || response.status >= 300 || draft) return;
  closeMenu(sourceElement);
  accepted();
});

// The next move removes an old error.
for (const form of all("form#act", HTMLFormElement)) {
  form.addEventListener("submit", () => {
    trouble.textContent = "";
  });
}
