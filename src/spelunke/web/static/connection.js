// The state of the line to the house, in words in the header; and what the house refused.
//
// The house gives a sign of life every data-beat milliseconds. Without one for twice as long the line counts as lost, even
// if the browser has not noticed yet, and after a while the stream is opened anew. A browser that says that it is offline,
// or a request that failed, has the house asked: it may be on this very machine, where no network is needed.
import { all, need } from "./dom.js";
import { afterPush, holdingPushes } from "./pushes.js";

/** @typedef {"live" | "wait" | "lost"} State */

const WATCH_MS = 250;
const DEAD_MS = 8_000;
const PING_MS = 25_000;
const ASK_MS = 2_000;
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
/** @type {ReadableStreamDefaultReader | null} */
let reader = null;
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

function hear() {
  heard = performance.now();
  if (!cut) show("live");
}

/** Ask the house whether requests reach it, again and again while they don't. */
export async function probe() {
  if (asking || document.hidden) return;
  asking = true;
  const wasCut = cut;
  try {
    await fetch(stream.dataset.here ?? "", { signal: AbortSignal.timeout(ASK_MS) });
    cut = false;
  } catch {
    cut = true;
    show("lost");
    setTimeout(probe, ASK_MS);
  }
  asking = false;
  if (wasCut && !cut && performance.now() - heard < lateMs) show("live");
}

document.addEventListener("htmx:sse:after:connection", hear);
document.addEventListener("htmx:sse:before:message", (event) => {
  reader = event.detail.connection.reader;
  hear();
});
document.addEventListener("htmx:sse:error", () => show("lost"));
document.addEventListener("htmx:sse:before:connection", (event) => {
  if (event.detail.connection.attempt > 0) show("lost");
});
document.addEventListener("htmx:sse:close", () => show("lost"));
document.addEventListener("htmx:error", (event) => {
  if (event.detail.ctx?.sourceElement === stream) show("lost");
});
addEventListener("offline", probe);
addEventListener("online", () => {
  reader?.cancel();
  probe();
});

setInterval(() => {
  if (document.hidden || holdingPushes()) {
    heard = performance.now();
    return;
  }
  const silent = performance.now() - heard;
  if (live() && silent > lateMs) show("lost");
  if (reader && silent > DEAD_MS) {
    heard = performance.now();
    reader.cancel();
    reader = null;
  }
}, WATCH_MS);

// Who looks at the page is at the table: the house can't see by itself that a line is dead.
setInterval(() => {
  if (live()) probe();
}, PING_MS);

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

/** What was sent was taken; without a stream it would not be seen, so the page itself is fetched anew. */
export function accepted() {
  trouble.textContent = "";
  if (!live()) location.reload();
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
