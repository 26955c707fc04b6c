// Scroll to news above the board, unless the player is typing. If the player's own press below the table made them, scroll
// to the top, because the line with the turn and the curtain's line belong to the answer.
import { all, closest, find } from "./dom.js";
import { still } from "./preferences.js";
import { afterPush } from "./pushes.js";

const pieces = () => all("#news > [id]", HTMLElement);

// The curtain of a shared device comes with a reload. A browser would then scroll to the board, and past the curtain.
if (find("curtain", HTMLElement)) history.scrollRestoration = "manual";

let known = new Set(pieces().map((piece) => piece.id));
let below = false; // whether the last form was sent from below the table

document.addEventListener("submit", (event) => {
  below = closest(event.target, ".table-foot", HTMLElement) !== null;
});
afterPush(() => {
  const fresh = pieces().find((piece) => !known.has(piece.id));
  known = new Set(pieces().map((piece) => piece.id));
  if (!fresh || document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
  const behavior = still() ? "auto" : "smooth";
  if (below) scrollTo({ top: 0, behavior });
  else fresh.scrollIntoView({ behavior, block: "nearest" });
  below = false;
});
