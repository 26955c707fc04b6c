// Mark the control of the coach's best move, or the piece to pick first.
import { all } from "./dom.js";
import { targets } from "./lesson.js";
import { afterPush } from "./pushes.js";

const MARK = "coach-target";

function mark() {
  const move = document.getElementById("coach-told")?.dataset.move;
  for (const control of all(`.${MARK}`, HTMLElement)) control.classList.remove(MARK);
  if (move) for (const control of targets(move)) control.classList.add(MARK);
}

mark();
afterPush(mark);
document.addEventListener("change", mark);
document.addEventListener("htmx:after:swap", mark);
