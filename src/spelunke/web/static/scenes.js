// Show the board after a step of a story: an animated sequence of recent events.
//
// An element with data-joins="k" appears at step k, and one with data-leaves="k" disappears at step k. A figure with
// data-track="k=x,y x,y|…" walks through these points at step k, and stays at the last one. If an element disappears
// and another with the same data-who appears at the same step, the new one flies from the place of the old one. An
// element with data-late, such as a number, changes only when all flying elements have arrived.
import { all } from "./dom.js";
import { fly, move, moves, pace } from "./motion.js";

/** @typedef {[number, number]} Point */
/** @typedef {{ step: number, points: Point[] }} Walk */

/**
 * @param {Element} figure
 * @returns {Walk[]}
 */
function readTrack(figure) {
  const parts = (figure.getAttribute("data-track") ?? "").split("|");
  return parts.map((part) => {
    const [step, points = ""] = part.split("=");
    const read = (/** @type {string} */ point) => /** @type {Point} */ (point.split(",").map(Number));
    return { step: Number(step), points: points.split(" ").map(read) };
  });
}

/**
 * Return a figure's place after a step. Before its first walk, this is the start of the walk.
 * @param {Walk[]} track
 * @param {number} at
 */
function standAt(track, at) {
  const last = track.filter((part) => part.step <= at).at(-1);
  return last?.points.at(-1) ?? track[0]?.points[0] ?? [0, 0];
}

/**
 * Of the board's elements that match a selector, show those that are visible after a step, and hide the others.
 * @param {Element} board
 * @param {number} at
 * @param {string} which
 */
function show(board, at, which) {
  for (const one of all(`:is([data-joins], [data-leaves])${which}`, Element, board)) {
    const since = Number(one.getAttribute("data-joins") ?? -1);
    const until = Number(one.getAttribute("data-leaves") ?? Number.POSITIVE_INFINITY);
    one.classList.toggle("yet", at < since || at >= until);
    one.classList.toggle("then", at >= since && at < until);
  }
}

/**
 * Put a figure in its place after a step. If `walking`, animate its walk. Return the duration in milliseconds.
 * @param {Element} figure
 * @param {number} at
 * @param {boolean} walking
 */
function walk(figure, at, walking) {
  const track = readTrack(figure);
  const [x, y] = standAt(track, at);
  figure.setAttribute("transform", `translate(${x} ${y})`);
  const now = walking ? track.find((part) => part.step === at) : undefined;
  if (!now) return 0;
  const duration = Math.min(1500, 170 * (now.points.length - 1)) * pace();
  const frames = now.points.map(([px, py]) => ({ transform: `translate(${px}px, ${py}px)` }));
  move(figure, frames, { duration, easing: "linear" });
  const steps = now.points.length - 1;
  const step = [{ translate: "0 0" }, { translate: "0 -5px" }, { translate: "0 0" }];
  for (const part of steps ? figure.children : []) {
    move(part, step, { duration: duration / steps, iterations: steps, easing: "ease-in-out" });
  }
  return duration;
}

/** @type {Promise<unknown>[]} */
let flights = [];

/**
 * Show the board after a step. Return the duration of its animation in milliseconds.
 * @param {number} at
 * @param {boolean} walking
 */
export function setScene(at, walking) {
  const board = document.getElementById("board");
  if (!board) return 0;
  const moving = walking && moves();
  const who = (/** @type {Element} */ one) => one.getAttribute("data-who") ?? "";
  const going = moving ? all(`[data-leaves="${at}"][data-who]`, Element, board) : [];
  const left = new Map(going.map((one) => [who(one), one.getBoundingClientRect()]));
  show(board, at, ":not([data-late])");
  let longest = 0;
  /** @type {Promise<unknown>[]} */
  const here = [];
  for (const one of moving ? all(`[data-joins="${at}"][data-who]`, HTMLElement, board) : []) {
    const from = left.get(who(one));
    if (!from) continue;
    const flight = fly(one, from);
    if (flight) here.push(flight.finished);
    longest = 300 * pace();
  }
  flights = here;
  show(board, here.length ? at - 1 : at, "[data-late]");
  const arrive = () => here === flights && show(board, at, "[data-late]");
  if (here.length) Promise.all(here).then(arrive, arrive);
  for (const figure of all("[data-track]", Element, board)) {
    longest = Math.max(longest, walk(figure, at, moving));
  }
  return longest;
}
