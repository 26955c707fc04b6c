// Count clocks down between two messages of the server. data-left is the remaining time when the message arrived, in
// seconds. data-until is the end of the time on the server's clock. It only tells whether the end is still the same,
// because the clock of this device may differ.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const LOW = 30; // seconds

/** @type {WeakMap<HTMLElement, { until: string | undefined, end: number }>} By clock, the end on this device's clock. */
const known = new WeakMap();

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {number} seconds */
function write(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  const now = Date.now() / 1000;
  for (const clock of all("[data-until]", HTMLElement)) {
    const { until } = clock.dataset;
    const before = known.get(clock);
    // A late message gives a late end, so of several ends, the earliest is the best.
    let end = now + Number(clock.dataset.left);
    if (before && before.until === until) end = Math.min(end, before.end);
    known.set(clock, { until, end });
    const left = Math.max(0, Math.round(end - now));
    const text = write(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", left < LOW);
  }
}

tick();
setInterval(tick, 500);
afterPush(tick);
