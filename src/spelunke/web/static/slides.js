// Animate new elements of the board with the attribute data-from: let them slide from their origin. data-from lists
// names of possible origins, the likeliest first: a piece (data-piece) that has left its old position, or a place
// (data-place) such as a stock.
import { all } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { fly, move, moves, pace } from "./motion.js";
import { afterPush } from "./pushes.js";

const APART_MS = 30; // between pieces that come from the same place
const LONGEST_MS = 360;
const DUSK_MS = 900;

/** @typedef {Map<string, DOMRect[]>} Boxes */

/**
 * Return the boxes of all visible elements by the names in this attribute.
 * @param {Element} board
 * @param {string} attribute
 */
function boxes(board, attribute) {
  /** @type {Boxes} */
  const found = new Map();
  for (const piece of all(`[${attribute}]`, Element, board)) {
    const box = piece.getBoundingClientRect();
    if (!box.width) continue;
    for (const name of (piece.getAttribute(attribute) ?? "").split(" ")) {
      found.set(name, [...(found.get(name) ?? []), box]);
    }
  }
  return found;
}

/**
 * Return the possible origins on a board with their positions, and the ids of all elements.
 * @param {Element} board
 */
function look(board) {
  const ids = new Set(all("[data-from]", Element, board).map((piece) => piece.id));
  return { pieces: boxes(board, "data-piece"), places: boxes(board, "data-place"), ids };
}

/**
 * Return the elements of a part of the page that are new since a look at the board.
 * @param {Element} part
 * @param {ReturnType<typeof look>} before
 */
const arrivals = (part, before) =>
  all("[data-from]", Element, part).filter((piece) => !before.ids.has(piece.id));

/**
 * Slide new elements from their origins. A piece that is still in its old position can't be an origin. Do this in the
 * next frame, before it is painted, so that a push causes one layout of the page.
 * @param {Element[]} wanted
 * @param {ReturnType<typeof look>} before
 */
function slide(wanted, before) {
  if (!wanted.length) return;
  requestAnimationFrame(() => {
    const board = document.getElementById("board");
    const now = board ? boxes(board, "data-piece") : new Map();
    const left = new Map(
      [...before.pieces].filter(([name, found]) => found.length > (now.get(name)?.length ?? 0)),
    );
    /** @type {Map<DOMRect, number>} */
    const sent = new Map();
    for (const piece of wanted) {
      const names = (piece.getAttribute("data-from") ?? "").split(" ");
      const from = names.map((name) => (left.get(name) ?? before.places.get(name))?.at(-1)).find(Boolean);
      if (!from) continue;
      const turn = sent.get(from) ?? 0;
      sent.set(from, turn + 1);
      fly(piece, from, Math.min(LONGEST_MS, turn * APART_MS));
    }
  });
}

/**
 * The board before the push that is being applied. It is read before the first part changes, because reading it later
 * would force another layout.
 * @type {ReturnType<typeof look> | null}
 */
let before = null;

aroundMorph((old) => {
  if (!moves()) return () => {};
  const seen = before ?? look(old);
  return (board) => slide(arrivals(board, seen), seen);
});

// A summary takes the place of the board. The origins of its elements are on the board before the update.
const round = () => document.getElementById("summary")?.dataset.round ?? "";
let shown = round();

/** Darken the page for a moment. The page can be used while it is dark, and a press makes it bright again. */
function darken() {
  const dusk = document.createElement("div");
  dusk.className = "dusk";
  document.body.append(dusk);
  const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }];
  const motion = move(dusk, frames, { duration: DUSK_MS * pace(), easing: "ease-in-out" });
  motion.finished.finally(() => dusk.remove());
}

document.addEventListener("htmx:sse:before:message", ({ detail: { message } }) => {
  if (message.event === "beat") return;
  const board = document.getElementById("board");
  before = board && moves() ? look(board) : null;
});
afterPush(() => {
  const [summary, seen] = [document.getElementById("summary"), before];
  before = null;
  if (round() === shown) return;
  shown = round();
  if (!shown || !summary || !seen) return;
  if (summary.querySelector("[data-dusk]")) darken();
  // At the end of the game the result is above the summary: nothing flies over it.
  if (!document.getElementById("result-title")) slide(arrivals(summary, seen), seen);
});
