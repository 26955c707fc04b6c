// Slide new elements of the board (new ids with data-from) from their origin. data-from lists names of places
// (data-piece of the old board), the likeliest first.
import { all } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { fly, moves } from "./motion.js";

/**
 * Return the boxes of a board's named pieces.
 * @param {Element} board
 */
function places(board) {
  /** @type {Map<string, DOMRect>} */
  const found = new Map();
  for (const piece of all("[data-piece]", Element, board)) {
    const box = piece.getBoundingClientRect();
    if (box.width) found.set(piece.getAttribute("data-piece") ?? "", box);
  }
  return found;
}

aroundMorph((old) => {
  if (!moves()) return () => {};
  const before = places(old);
  const known = new Set(all("[data-from]", Element, old).map((piece) => piece.id));
  return (board) => {
    for (const piece of all("[data-from]", Element, board)) {
      const names = known.has(piece.id) ? [] : (piece.getAttribute("data-from") ?? "").split(" ");
      const from = names.map((name) => before.get(name)).find(Boolean);
      if (from) fly(piece, from);
    }
  };
});
