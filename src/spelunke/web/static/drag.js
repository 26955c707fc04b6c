// Drag and drop: if a piece (data-drag) is dropped on an enabled button (data-drop), press this button.
//
// When a drag begins, the radio button inside the piece is chosen, so that the possible targets are highlighted. If the
// piece itself is a button, it can only be dropped on its own move. Clicks and keys work without this script. For the
// reasons against SortableJS, see docs/why/browser-scripts.md.
import { closest } from "./dom.js";
import { caughtUp, holdPushes, releasePushes } from "./pushes.js";

const FAR = 8; // pixels that a press may move

/** @type {{ piece: HTMLElement, x: number, y: number, ghost: SVGElement | null } | null} */
let drag = null;

/**
 * Choose the radio button inside the piece, delay pushes, and return a copy of the piece's picture, which then follows
 * the pointer. If the piece has no picture, return null.
 * @param {HTMLElement} piece
 */
function lift(piece) {
  const box = piece.getBoundingClientRect();
  const radio = piece.querySelector("input[type=radio]");
  if (radio instanceof HTMLInputElement) radio.checked = true;
  const ghost = piece.querySelector("svg")?.cloneNode(true);
  if (!(ghost instanceof SVGElement)) return null;
  holdPushes();
  ghost.classList.add("drag-ghost");
  ghost.style.left = `${box.left}px`;
  ghost.style.top = `${box.top}px`;
  ghost.style.width = `${box.width}px`;
  ghost.style.height = `${box.height}px`;
  document.body.append(ghost);
  return ghost;
}

/** Ignore clicks, because a click may follow the end of a drag. Return a function that stops ignoring them. */
function eatClicks() {
  const eating = new AbortController();
  const eat = (/** @type {Event} */ click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener("click", eat, { capture: true, signal: eating.signal });
  return () => eating.abort();
}

/**
 * Return the present version of a button, or null if the button is gone: the board may have changed during the drag.
 * @param {HTMLButtonElement} aim
 */
function newest(aim) {
  if (aim.isConnected) return aim;
  const found = document.querySelector(`button[data-drop][value="${CSS.escape(aim.value)}"]`);
  return found instanceof HTMLButtonElement ? found : null;
}

/**
 * End the drag. Unless it was cancelled, press the button under the pointer.
 * @param {PointerEvent} event
 */
function letGo(event) {
  const done = drag;
  drag = null;
  if (!done?.ghost) return;
  done.ghost.remove();
  const stop = eatClicks();
  const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
  const aim = closest(under, "button[data-drop]", HTMLButtonElement);
  const move = done.piece instanceof HTMLButtonElement ? done.piece.value : "";
  setTimeout(async () => {
    stop();
    releasePushes();
    await caughtUp();
    const target = aim && newest(aim);
    if (target && (!move || target.value === move)) target.click();
  });
}

document.addEventListener("pointerdown", (event) => {
  const piece = event.button === 0 && closest(event.target, "[data-drag]", HTMLElement);
  if (piece) drag = { piece, x: event.clientX, y: event.clientY, ghost: null };
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.ghost && Math.hypot(dx, dy) < FAR) return;
  drag.ghost ??= lift(drag.piece);
  if (drag.ghost) drag.ghost.style.translate = `${dx}px ${dy}px`;
});
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", letGo);
document.addEventListener("dragstart", (event) => {
  if (closest(event.target, "[data-drag]", HTMLElement)) event.preventDefault();
});
