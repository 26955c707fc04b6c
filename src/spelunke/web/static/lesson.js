// In a lesson, mark the control that plays the expected move, or the piece to pick first.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const MARK = "lesson-target";

/** @param {HTMLElement} control */
const usable = (control) =>
  control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  getComputedStyle(control).pointerEvents !== "none";

/**
 * Return the label of the radio button that makes the control usable: try each, and leave none chosen.
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

/**
 * Return the labels of the pieces (checkboxes) in the move that are not picked yet.
 * @param {string} move
 */
function piecesToPick(move) {
  const named = move.split(/[\s|]+/);
  const left = [];
  for (const box of all("#board input[type=checkbox]", HTMLInputElement)) {
    const at = named.indexOf(box.value.replace(/\.\d+$/, "")); // equal pieces are numbered
    if (at < 0) continue;
    named.splice(at, 1);
    const label = box.closest("label");
    if (!box.checked && label) left.push(label);
  }
  return left;
}

/**
 * Return the controls to press next for this move.
 * @param {string} move
 * @returns {HTMLElement[]}
 */
function targets(move) {
  const buttons = all("#board button[name=move]", HTMLButtonElement);
  const playing = buttons.filter((one) => one.value === move);
  const ready = playing.filter(usable);
  if (ready.length) return ready;
  const label = playing[0] && whatToPick(playing[0]);
  if (label) return [label];
  const pieces = piecesToPick(move);
  return pieces.length ? pieces : buttons.filter((one) => one.value === "compose" && usable(one)).slice(0, 1);
}

function mark() {
  const move = document.getElementById("lesson")?.dataset.move;
  for (const control of all(`.${MARK}`, HTMLElement)) control.classList.remove(MARK);
  if (move) for (const control of targets(move)) control.classList.add(MARK);
}

mark();
afterPush(mark);
document.addEventListener("change", mark);
document.addEventListener("htmx:after:swap", mark);
