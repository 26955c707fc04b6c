// A wait that all players see, as a number that counts down and a ring that shrinks. data-pause is the length of the
// wait, and data-left the remaining time when the message arrived, both in milliseconds. Without motion, only the number
// changes.
import { all } from "./dom.js";
import { still } from "./preferences.js";
import { afterPush } from "./pushes.js";

/** @typedef {{ left: string, until: number, motion: Animation | undefined }} Countdown */

/** @type {WeakMap<HTMLElement, Countdown>} */
const known = new WeakMap();

/**
 * Begin to count down, and to shrink the ring.
 * @param {HTMLElement} wait
 * @returns {Countdown}
 */
function begin(wait) {
  const { pause, left = "0" } = wait.dataset;
  const ring = still() ? null : wait.querySelector("[data-ring]");
  const from = String(-100 * (1 - Number(left) / Number(pause)));
  const frames = [{ strokeDashoffset: from }, { strokeDashoffset: "-100" }];
  const motion = ring?.animate(frames, { duration: Number(left), fill: "forwards" });
  return { left, until: performance.now() + Number(left), motion };
}

function tick() {
  for (const wait of all("[data-pause]", HTMLElement)) {
    let countdown = known.get(wait);
    if (countdown?.left !== wait.dataset.left || !countdown) {
      countdown?.motion?.cancel();
      countdown = begin(wait);
      known.set(wait, countdown);
    }
    const seconds = wait.querySelector("[data-seconds]");
    const text = String(Math.max(0, Math.ceil((countdown.until - performance.now()) / 1000)));
    if (seconds && seconds.textContent !== text) seconds.textContent = text;
  }
}

tick();
setInterval(tick, 100);
afterPush(tick);
