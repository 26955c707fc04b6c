// Functions to call around each update (morph) of the board. An update is synchronous, so changes right after it are
// not visible as a jump.
import "./vendor.js";

/**
 * A function to call before an update of the board. It returns a function to call after the update.
 * @callback Watch
 * @param {Element} board
 * @returns {(board: HTMLElement) => void}
 */

/** @type {Watch[]} */
const watches = [];

/**
 * Call `watch` before each update of the board.
 * @param {Watch} watch
 */
export function aroundMorph(watch) {
  watches.push(watch);
}

const morph = Idiomorph.morph;
Idiomorph.morph = (target, ...rest) => {
  const old = target instanceof Element && target.id === "board" ? target : null;
  const after = old ? watches.map((watch) => watch(old)) : [];
  const nodes = morph.call(Idiomorph, target, ...rest);
  const board = document.getElementById("board");
  if (board) for (const react of after) react(board);
  return nodes;
};
