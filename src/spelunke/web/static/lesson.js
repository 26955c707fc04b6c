// In a guided game: marks the control that plays the move which the lesson waits for.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const MARK = "lesson-target";

function mark() {
  const move = document.getElementById("lesson")?.dataset.move;
  for (const control of all(`.${MARK}`, Element)) control.classList.remove(MARK);
  if (!move) return;
  for (const control of all("#board button[name=move]", HTMLButtonElement)) {
    if (control.value === move) control.classList.add(MARK);
  }
}

mark();
afterPush(mark);
