// Scroll to news above the board, unless the player is typing.
import { all, find } from "./dom.js";
import { still } from "./preferences.js";
import { afterPush } from "./pushes.js";

const pieces = () => all("#news > [id]", HTMLElement);

// The curtain of a shared device comes with a reload. A browser would then scroll to the board, and past the curtain.
if (find("curtain", HTMLElement)) history.scrollRestoration = "manual";

let known = new Set(pieces().map((piece) => piece.id));

afterPush(() => {
  const fresh = pieces().find((piece) => !known.has(piece.id));
  known = new Set(pieces().map((piece) => piece.id));
  if (!fresh || document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
  fresh.scrollIntoView({ behavior: still() ? "auto" : "smooth", block: "nearest" });
});
