// Animations, at the speed that is set on this device. Any press skips them. They are off if the person wants no
// motion.
import { still } from "./preferences.js";

const GLIDE = "cubic-bezier(0.3, 0.1, 0.25, 1)";

/** @type {Set<Animation>} */
const running = new Set();

/** Return whether animations may run now. */
export function moves() {
  return !still() && !document.hidden;
}

/** Return the factor for durations. */
export function pace() {
  return document.documentElement.dataset.speed === "quick" ? 0.4 : 1;
}

/**
 * Animate an element. A press ends the animation early. Return the animation.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
export function move(element, frames, options) {
  const motion = element.animate(frames, options);
  running.add(motion);
  motion.onfinish = motion.oncancel = () => running.delete(motion);
  return motion;
}

/**
 * Move a piece from a box on the screen to its place. Return the animation, or null if the piece is not visible.
 * @param {Element} piece
 * @param {DOMRect} from
 * @param {number} [delay]
 * @returns {Animation | null}
 */
export function fly(piece, from, delay = 0) {
  const to = piece.getBoundingClientRect();
  if (!to.width) return null;
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  const start = `translate(${dx}px, ${dy}px) scale(${from.width / to.width})`;
  const timing = {
    duration: 520 * pace(),
    delay: delay * pace(),
    fill: /** @type {FillMode} */ ("backwards"),
  };
  // animated apart from the movement, so that the compositor can do the movement alone; a style sheet may let it fade in
  const seen = { zIndex: 5, opacity: 1 };
  move(piece, [seen, seen], timing);
  return move(piece, [{ transform: start }, { transform: "none" }], { ...timing, easing: GLIDE });
}

/** Return the animated element, or null if no style sheet made the animation. @param {Animation} motion */
function shownAt(motion) {
  return motion instanceof CSSAnimation && motion.effect instanceof KeyframeEffect
    ? motion.effect.target
    : null;
}

function skip() {
  for (const motion of [...running]) motion.finish();
  for (const motion of document.getAnimations()) {
    const { target, endTime } = {
      target: shownAt(motion),
      endTime: motion.effect?.getComputedTiming().endTime,
    };
    if (target?.closest("#board, #summary") && Number.isFinite(endTime)) motion.finish();
  }
}

document.addEventListener("pointerdown", skip);
document.addEventListener("keydown", skip);
// Animations of style sheets have their own durations.
document.addEventListener("animationstart", (event) => {
  if (pace() === 1 || !(event.target instanceof Element)) return;
  for (const motion of event.target.getAnimations()) {
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.playbackRate = 1 / pace();
  }
});
