// A push can move a control under a finger that is about to press another one. So a press of a control whose effect
// can't be undone, or that takes a move back (data-final), counts only if no button of another move was at the same
// point shortly before. On a device that several people share, a double tap would also decide for the next person,
// whose buttons are in the same places. So for a moment after the board was given to another person, no press of a
// move counts. A press on a piece that still falls (data-lands) skips its animation, so that it can be read, and does
// nothing else. Keys always count.
import { closest, deciderOf, find, nameOf } from "./dom.js";
import { aroundMorph } from "./morphs.js";

const LATE_MS = 350; // a person decides, and moves a finger, in about this time
const NEXT_MS = 600; // a double tap ends within this time after its first press was answered

/**
 * The buttons of moves on the board just before an update.
 * @typedef {{ until: number, controls: { name: string, box: DOMRect }[] }} Earlier
 */

/** @type {Earlier[]} */
let earlier = [];

/** The control that was pressed while its piece was falling. @type {HTMLElement | null} */
let falling = null;

let decider = deciderOf(find("board", HTMLElement));
let given = Number.NEGATIVE_INFINITY; // when the board was given to this seat by another

/** @param {Element} board */
function follow(board) {
  const seat = deciderOf(board);
  if (!seat || seat === decider) return;
  if (decider) given = performance.now();
  decider = seat;
}

/** @param {Event} event */
function ignore(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {Element} board @returns {Earlier} */
function take(board) {
  const shown = [...board.querySelectorAll("button[name=move]")].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }),
  );
  const controls = shown.map((one) => ({ name: nameOf(one), box: one.getBoundingClientRect() }));
  return { until: performance.now(), controls };
}

aroundMorph((board) => {
  earlier = [...earlier.filter(({ until }) => performance.now() - until < LATE_MS), take(board)];
  return follow;
});

/** @param {Animation} motion */
const falls = (motion) =>
  motion instanceof CSSAnimation && Number.isFinite(motion.effect?.getComputedTiming().endTime);

// Before the same press skips all animations (motion.js).
document.addEventListener(
  "pointerdown",
  (event) => {
    const pressed = closest(event.target, "[data-lands]", HTMLElement);
    falling = pressed?.getAnimations({ subtree: true }).some(falls) ? pressed : null;
  },
  { capture: true },
);

document.addEventListener(
  "click",
  (event) => {
    const move = event.detail ? closest(event.target, "#act button[name=move]", HTMLButtonElement) : null;
    if (move && (move === falling || event.timeStamp - given < NEXT_MS)) {
      ignore(event);
      return;
    }
    const pressed = event.detail ? closest(event.target, "[data-final]", HTMLButtonElement) : null;
    if (!pressed) return;
    const [x, y, name] = [event.clientX, event.clientY, nameOf(pressed)];
    const other = earlier
      .filter(({ until }) => event.timeStamp - until < LATE_MS)
      .flatMap(({ controls }) => controls.filter((one) => one.name !== name))
      .some(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    if (other) ignore(event);
  },
  { capture: true },
);
