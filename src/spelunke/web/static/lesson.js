// Marks the control that plays the move which a lesson waits for, or what has to be picked before it; and likewise the
// control of the move that a coach found best.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

/** Whose move is marked how, by the id of the element that names it. */
const MARKS = { lesson: "lesson-target", "coach-told": "coach-target" };

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

/**
 * The labels of the pieces (checkboxes) that the move names and that are not picked yet.
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
 * What has to be pressed next for this move.
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
  for (const [id, name] of Object.entries(MARKS)) {
    const move = document.getElementById(id)?.dataset.move;
    for (const control of all(`.${name}`, HTMLElement)) control.classList.remove(name);
    if (move) for (const control of targets(move)) control.classList.add(name);
  }
}

mark();
afterPush(mark);
document.addEventListener("change", mark);
document.addEventListener("htmx:after:swap", mark);
