// The house's pushes: what follows one, and holding them back while somebody drags.

const PATIENCE_MS = 30_000; // the end of a drag can get lost outside of the window
const LATE_MS = 1_000;
const QUIET_MS = 50;

/** @type {{ promise: Promise<void>, resolve: () => void } | null} */
let hold = null;
let waited = false; // whether a push did wait
let lastPush = 0;

/** Whether a message of the stream is a push, and no mere sign of life. @param {StreamMessage} message */
const isPush = (message) => message.event !== "beat";

/**
 * Do this after each push.
 * @param {() => void} react
 */
export function afterPush(react) {
  document.addEventListener("htmx:sse:after:message", (event) => {
    if (isPush(event.detail.message)) react();
  });
}

/** Whether pushes wait now, and all that the stream brings after them. */
export function holdingPushes() {
  return hold !== null;
}

/** Let pushes wait, until `releasePushes`. */
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

/** Let the pushes come that waited. */
export function releasePushes() {
  hold?.resolve();
  hold = null;
}

/** Wait until what was held back is on the page: it comes at once, one push after the other. */
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
