// A push can move a control under a finger that is about to press another one. So a press of a control whose effect can't
// be undone (data-final) counts only if no other control was at the same point shortly before. Keys always count.
import { closest, nameOf } from "./dom.js";
import { aroundMorph } from "./morphs.js";

const LATE_MS = 350; // a person decides, and moves a finger, in about this time

/**
 * The controls of the board just before an update.
 * @typedef {{ until: number, controls: { name: string, box: DOMRect }[] }} Earlier
 */

/** @type {Earlier[]} */
let earlier = [];

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
  return () => {};
});

document.addEventListener(
  "click",
  (event) => {
    const pressed = event.detail ? closest(event.target, "[data-final]", HTMLButtonElement) : null;
    if (!pressed) return;
    const [x, y, name] = [event.clientX, event.clientY, nameOf(pressed)];
    const other = earlier
      .filter(({ until }) => event.timeStamp - until < LATE_MS)
      .flatMap(({ controls }) => controls.filter((one) => one.name !== name))
      .some(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    if (!other) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);
