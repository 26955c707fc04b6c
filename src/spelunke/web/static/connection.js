// The state of the line to the house, in words in the header; and what the house refused.
//
// The house gives a sign of life every data-beat milliseconds. Without one for twice as long the line counts as lost, even
// if the browser has not noticed yet. While it is not whole the house is asked by plain requests, again and again: as soon
// as one gets through, a stream that brings nothing is given up, and the next one is opened without waiting. A browser that
// says that it is offline is not believed either: the house may be on this very machine, where no network is needed.
import { all, need } from "./dom.js";
import { afterPush, holdingPushes } from "./pushes.js";

/** @typedef {"live" | "wait" | "lost"} State */

const WATCH_MS = 250;
const PING_MS = 25_000;
const ASK_MS = 2_000; // an answer takes no longer
const AGAIN_MS = 1_000;
const RENEW_MS = 1_000;
const PATIENT_MS = 4_000; // in that time a stream that was there once comes again
const MANY = 2;
const READ_MS = 5_000; // a refusal can be read in that time
const LONG_MS = 15_000;

/** Answers of a house that can't be asked just now, or of the proxy before one. */
export const BUSY = [502, 503, 504];

const place = need("connection", HTMLElement);
const trouble = need("trouble", HTMLElement);
const stream = need("stream", HTMLElement);
const lateMs = MANY * Number(stream.dataset.beat || "1500") - 2 * WATCH_MS + 250;

let heard = performance.now();
let cut = false; // whether requests fail, whatever the stream still brings
let asking = false;
let asked = performance.now();
let reached = 0; // how often in a row the house could be asked although no stream came
let opening = false; // whether a stream is asked for the first time
let opened = performance.now();
/** What htmx knows of the stream, once it was there. @type {StreamConnection | null} */
let connection = null;
/** @type {(() => void)[]} */
const reactions = [];

/** Whether news come by themselves. */
export function live() {
  return place.dataset.state === "live";
}

/**
 * Do this whenever the line is whole again.
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

/** The house can be reached: what keeps the stream from coming is given up. */
function revive() {
  if (!late()) {
    if (connection?.reader) show("live");
    return;
  }
  reached += 1;
  connection?.reader?.cancel();
  connection?.delayCanceller?.();
}

/** Whether a request to the house gets through. @param {string} address */
async function reach(address) {
  try {
    await fetch(address, { signal: AbortSignal.timeout(ASK_MS) });
    return true;
  } catch {
    return false;
  }
}

/** Ask the house whether requests reach it. While they don't, or no stream comes, it is asked again. */
export async function probe() {
  if (asking || document.hidden) return;
  asking = true;
  cut = !(await reach(stream.dataset.here ?? ""));
  asking = false;
  asked = performance.now();
  if (cut) {
    reached = 0;
    show("lost");
  } else {
    revive();
  }
}

/** Ask for a stream where there is none, not even one that htmx opens again by itself. */
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
  const wait = live() ? PING_MS : Math.min(AGAIN_MS * 2 ** reached, PING_MS);
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
document.addEventListener("htmx:sse:after:connection", hear);
document.addEventListener("htmx:sse:before:message", hear);
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
  const { request, text, response } = event.detail.ctx;
  if (request.method === "POST" && !BUSY.includes(response?.status ?? 0)) refuse(text ?? "");
});

let refused = 0;
let leaving = 0;

/** Let go of what was refused, after so long. @param {number} ms */
function forget(ms) {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    trouble.textContent = "";
  }, ms);
}

/** Show what the house refused, until it was read and something else has happened. @param {string} text */
export function refuse(text) {
  trouble.innerHTML = text;
  refused = performance.now();
  forget(LONG_MS);
}
afterPush(() => {
  if (trouble.textContent) forget(Math.max(0, READ_MS - (performance.now() - refused)));
});

/** What was sent was taken; what it did comes by the stream, and without one the page itself is fetched anew. */
export function accepted() {
  trouble.textContent = "";
  if (!live()) setTimeout(renew, connection ? PATIENT_MS : RENEW_MS, live);
}

/**
 * Fetch the page anew, as soon as the house can be reached, unless that is needless by then. A page that is asked for
 * through a line that is cut is the browser's own page, which comes back when it likes.
 * @param {() => boolean} needless
 */
export async function renew(needless) {
  if (needless()) return;
  if (await reach(location.href)) location.reload();
  else setTimeout(renew, RENEW_MS, needless);
}

document.addEventListener("htmx:after:request", (event) => {
  const { request, response } = event.detail.ctx;
  const draft = request.action.endsWith("/draft");
  if (request.method === "POST" && response && response.status < 300 && !draft) accepted();
});

// A sentence that nobody needs any more goes with the next move.
for (const form of all("form#act", HTMLFormElement)) {
  form.addEventListener("submit", () => {
    trouble.textContent = "";
  });
}
