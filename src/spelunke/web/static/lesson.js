// In a guided game: marks the control that plays the move which the lesson waits for, or what has to be picked before.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const MARK = "lesson-target";

/** @param {HTMLElement} control */
const usable = (control) =>
  control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  getComputedStyle(control).pointerEvents !== "none";

/**
 * The label of the radio button that brings the control into play: each is tried, and none stays chosen.
 * @param {HTMLElement} control
 */
function whatToPick(control) {
  const radios = all("#board input[type=radio]", HTMLInputElement);
  const chosen = radios.filter((radio) => radio.checked);
  const found = radios.find((radio) => {
    radio.checked = true;
    return usable(control);
  });
  for (const radio of radios) radio.checked = chosen.includes(radio);
  return found?.closest("label");
}

function mark() {
  const move = document.getElementById("lesson")?.dataset.move;
  for (const control of all(`.${MARK}`, HTMLElement)) control.classList.remove(MARK);
  if (!move) return;
  const controls = all("#board button[name=move]", HTMLButtonElement).filter((one) => one.value === move);
  const ready = controls.filter(usable);
  for (const control of ready) control.classList.add(MARK);
  if (!ready.length && controls[0]) whatToPick(controls[0])?.classList.add(MARK);
}

mark();
afterPush(mark);
document.addEventListener("change", mark);
