// Hooks around each morph of the board. A morph is synchronous, so changes right after it cause no visible jump.
import "./vendor.js";

/**
 * Called before a morph; its result is called after the morph.
 * @callback Watch
 * @param {Element} board
 * @returns {(board: HTMLElement) => void}
 */

/** @type {Watch[]} */
const watches = [];

/**
 * Watch each morph of the board.
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
