// Scroll to the result above the board, unless the player is typing.
import { still } from "./preferences.js";
import { afterPush } from "./pushes.js";

const heading = () => document.getElementById("result-title");
let ended = heading() !== null;

function follow() {
  const result = heading();
  if (ended || !result?.checkVisibility()) return; // during a story the result is hidden
  ended = true;
  if (document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
  const box = result.getBoundingClientRect();
  const covered = document.querySelector(".table-head")?.getBoundingClientRect().bottom ?? 0;
  if (box.top >= Math.max(0, covered) && box.bottom <= innerHeight) return;
  result.parentElement?.scrollIntoView({ behavior: still() ? "auto" : "smooth", block: "start" });
}

afterPush(follow);
document.addEventListener("spelunke:told", follow);
