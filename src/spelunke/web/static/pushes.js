// The server's updates of the page (pushes): call functions after each push, and delay pushes during a drag.

const PATIENCE_MS = 30_000; // in case the end of a drag is lost outside of the window
const LATE_MS = 1_000;
const QUIET_MS = 50;

/** @type {{ promise: Promise<void>, resolve: () => void } | null} */
let hold = null;
let waited = false; // whether a push has waited
let lastPush = 0;

/** Return whether a message of the stream is a push, and not a heartbeat. @param {StreamMessage} message */
const isPush = (message) => message.event !== "beat";

/**
 * Call `react` after each push.
 * @param {() => void} react
 */
export function afterPush(react) {
  document.addEventListener("htmx:sse:after:message", (event) => {
    if (isPush(event.detail.message)) react();
  });
}

/** Return whether pushes are being delayed now. */
export function holdingPushes() {
  return hold !== null;
}

/** Delay pushes until `releasePushes`, for PATIENCE_MS at most. */
export function holdPushes() {
  if (hold) return;
  let resolve = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((done) => {
    resolve = done;
  });
  hold = { promise, resolve };
  const safety = setTimeout(releasePushes, PATIENCE_MS);
  promise.then(() => clearTimeout(safety));
}

/** Release the delayed pushes. */
export function releasePushes() {
  hold?.resolve();
  hold = null;
}

/** Wait until the page shows the delayed pushes, which arrive one after the other. Wait for about LATE_MS at most. */
export async function caughtUp() {
  const since = performance.now();
  while (waited && performance.now() - since < LATE_MS) {
    await new Promise((next) => setTimeout(next, 25));
    if (lastPush > since && performance.now() - lastPush > QUIET_MS) break;
  }
  waited = false;
}

document.addEventListener("htmx:sse:before:message", (event) => {
  if (!hold || !isPush(event.detail.message)) return;
  waited = true;
  event.detail.waitUntil(hold.promise);
});
afterPush(() => {
  lastPush = performance.now();
});
