// Mark the control of the coach's best move, or the piece to pick first. Unfold the panel as a sheet above its bar on a
// narrow page.
import { all, find } from "./dom.js";
import { targets } from "./lesson.js";
import { afterPush } from "./pushes.js";

const MARK = "coach-target";

function mark() {
  const move = document.getElementById("coach-told")?.dataset.move;
  for (const control of all(`.${MARK}`, HTMLElement)) control.classList.remove(MARK);
  if (move) for (const control of targets(move)) control.classList.add(MARK);
}

/** Unfold the panel on a press on its bar. Any press outside folds it up; so does the next decision, which replaces it. */
document.addEventListener("click", (event) => {
  const coach = find("coach", HTMLElement);
  if (!coach || !(event.target instanceof Element)) return;
  if (event.target.closest(".coach-bar")) {
    event.preventDefault();
    coach.classList.toggle("sheet");
    coach.scrollTop = 0;
  } else if (!coach.contains(event.target)) coach.classList.remove("sheet");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") find("coach", HTMLElement)?.classList.remove("sheet");
});
mark();
afterPush(mark);
document.addEventListener("spelunke:told", mark); // a running story hides the controls
document.addEventListener("change", mark);
document.addEventListener("htmx:after:swap", mark);
