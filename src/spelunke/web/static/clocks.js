// Count down between two messages of the server: the clocks (data-until), and the waits that all players see
// (data-pause). data-left is the remaining time when the message arrived, for a clock in seconds. data-until is the end
// of a clock's time on the server's clock. It only tells whether the end is still the same, because the clock of this
// device may differ. data-pause is the length of a wait. It and its data-left are in milliseconds. A wait has a number
// (data-seconds), a ring that shrinks (data-ring), or both. Without motion, only the number changes.
import { all } from "./dom.js";
import { still } from "./preferences.js";
import { afterPush } from "./pushes.js";

const LOW = 30; // seconds

/** @typedef {{ sign: string | undefined, end: number, ring?: Animation | undefined }} Countdown */

/** By element, its countdown, with the end on this device's clock. @type {WeakMap<HTMLElement, Countdown>} */
const known = new WeakMap();

/**
 * Return the countdown of an element.
 * @param {HTMLElement} one
 * @param {string | undefined} sign  a text that is the same as long as the end is the same
 * @param {number} leftMs  the remaining time when the message arrived
 */
function countdownOf(one, sign, leftMs) {
  const end = Date.now() + leftMs;
  const before = known.get(one);
  const countdown = before && before.sign === sign ? before : { sign, end };
  countdown.end = Math.min(countdown.end, end); // a late message gives a late end, so the earliest is the best
  known.set(one, countdown);
  return countdown;
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {number} seconds */
function write(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {Element | null} place @param {string} text */
function show(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Shrink the ring of a wait, if it has one. @param {HTMLElement} wait */
function shrink(wait) {
  const ring = still() ? null : wait.querySelector("[data-ring]");
  const { pause, left } = wait.dataset;
  const from = String(-100 * (1 - Number(left) / Number(pause)));
  const frames = [{ strokeDashoffset: from }, { strokeDashoffset: "-100" }];
  return ring?.animate(frames, { duration: Number(left), fill: "forwards" });
}

function tick() {
  for (const clock of all("[data-until]", HTMLElement)) {
    const { end } = countdownOf(clock, clock.dataset.until, 1000 * Number(clock.dataset.left));
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    show(clock, write(left));
    clock.classList.toggle("low", left < LOW);
  }
  for (const wait of all("[data-pause]", HTMLElement)) {
    const before = known.get(wait);
    const countdown = countdownOf(wait, wait.dataset.left, Number(wait.dataset.left));
    if (countdown !== before) {
      before?.ring?.cancel();
      countdown.ring = shrink(wait);
    }
    const seconds = Math.ceil((countdown.end - Date.now()) / 1000);
    show(wait.querySelector("[data-seconds]"), String(Math.max(0, seconds)));
  }
}

tick();
setInterval(tick, 200);
afterPush(tick);
