// Mark the control of the coach's best move, or the piece to pick first. Unfold the panel as a sheet above its bar on a
// narrow page. Keep the coach's place on the screen when its switch reloads the page.
import { all, closest, find, send } from "./dom.js";
import { targets } from "./lesson.js";
import { afterPush } from "./pushes.js";

const MARK = "coach-target";
const PLACE = "spelunke.coach-top"; // the distance of the coach from the top of the screen, for the reloaded page

function mark() {
  const move = document.getElementById("coach-told")?.dataset.move;
  for (const control of all(`.${MARK}`, HTMLElement)) control.classList.remove(MARK);
  if (move) for (const control of targets(move)) control.classList.add(MARK);
}

const top = () => find("coach", HTMLElement)?.getBoundingClientRect().top ?? 0;

function keepPlace() {
  try {
    sessionStorage.setItem(PLACE, `${top()}`);
  } catch {
    // private windows store nothing
  }
}

function restorePlace() {
  try {
    const place = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    if (place !== null) scrollBy({ top: top() - Number(place), behavior: "instant" });
  } catch {
    // private windows store nothing
  }
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
restorePlace();
document.addEventListener("submit", async (event) => {
  const form = closest(event.target, 'form[action="/me/coach"]', HTMLFormElement);
  if (!form) return;
  keepPlace();
  // A form that is sent as usual would add an entry to the history, and the first press on “Back” would stay here.
  event.preventDefault();
  await send(form, event.submitter).catch(() => {});
  location.reload(); // without a connection, the browser says so
});
afterPush(mark);
document.addEventListener("spelunke:told", mark); // a running story hides the controls
document.addEventListener("change", mark);
document.addEventListener("htmx:after:swap", mark);
