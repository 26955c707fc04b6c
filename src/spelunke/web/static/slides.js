// Animate new elements of the board with the attribute data-from: let them slide from their origin. data-from lists
// names of possible origins, the likeliest first: a piece (data-piece) that has left its old position, or a place
// (data-place) such as a stock.
import { all } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { fly, move, moves, pace } from "./motion.js";
import { afterPush } from "./pushes.js";

const APART_MS = 30; // between pieces that come from the same place
const LONGEST_MS = 360;
const FALL_MS = 300;
const CALL = 0.5; // the share of this time after which the sentence is there as a whole
const CLEAR_MS = 280;
const LATE_MS = 200;

/** @typedef {Map<string, { id: string, box: DOMRect }[]>} Boxes */

/**
 * Return the ids and boxes of all visible elements by the names in this attribute.
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
      found.set(name, [...(found.get(name) ?? []), { id: piece.id, box }]);
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
    /** @type {Boxes} */
    const now = board ? boxes(board, "data-piece") : new Map();
    /** @type {Boxes} */
    const left = new Map();
    for (const [name, found] of before.pieces) {
      const gone = found.filter(({ id }) => !document.getElementById(id)); // an equal piece elsewhere may stay
      if (gone.length > (now.get(name) ?? []).filter(({ id }) => !id).length) left.set(name, gone);
    }
    /** @type {Map<DOMRect, number>} */
    const sent = new Map();
    for (const piece of wanted) {
      const names = (piece.getAttribute("data-from") ?? "").split(" ");
      const found = names.map((name) => left.get(name) ?? before.places.get(name)).find((one) => one?.length);
      const from = (found && found.length > 1 ? found.pop() : found?.[0])?.box; // equal pieces, each from its own place
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

// A summary takes the place of the board. If it has data-dusk, the board darkens first and shows this sentence.
const DUSK = / data-dusk="([^"]*)"/;
const ROUND = /<section id="summary"[^>]* data-round="(\d+)"/;
let shown = document.getElementById("summary")?.dataset.round ?? "";

/**
 * Darken the board with a sentence on it, and make the page bright again as soon as the summary is there. The page can be
 * used meanwhile, and a press ends it all. Screen readers ignore the sentence, because the summary says it too. Return
 * a promise that is resolved when the summary may come. A hidden page has no animations that end, so a timer does it
 * there.
 * @param {string} escaped  the sentence, with HTML's escapes
 */
function darken(escaped) {
  const dusk = document.createElement("div");
  dusk.className = "dusk";
  dusk.ariaHidden = "true";
  const sentence = document.createElement("p");
  sentence.textContent = new DOMParser().parseFromString(escaped, "text/html").body.textContent;
  dusk.append(sentence);
  document.body.append(dusk);
  const clear = () => dusk.remove();
  const fall = move(dusk, [{ opacity: 0 }, { opacity: 1, offset: CALL }, { opacity: 1 }], {
    duration: FALL_MS * pace(),
    fill: "forwards",
  });
  document.addEventListener("pointerdown", clear, { once: true });
  document.addEventListener("keydown", clear, { once: true });
  const late = new Promise((done) => setTimeout(done, FALL_MS + LATE_MS));
  return Promise.race([fall.finished, late]).then(() => {
    move(dusk, [{ opacity: 1 }, { opacity: 0 }], {
      duration: CLEAR_MS * pace(),
      easing: "ease-out",
    }).finished.finally(clear);
    sentence.remove(); // or it would fade over the text of the summary
  });
}

document.addEventListener("htmx:sse:before:message", ({ detail: { message, waitUntil } }) => {
  if (message.event === "beat") return;
  const board = document.getElementById("board");
  before = board && moves() ? look(board) : null;
  const next = ROUND.exec(message.data)?.[1] ?? "";
  const said = DUSK.exec(message.data);
  if (before && next && next !== shown && said) waitUntil(darken(said[1] ?? ""));
  if (!message.event) shown = next;
});
afterPush(() => {
  before = null;
});
