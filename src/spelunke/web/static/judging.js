// The playouts of an analysis, run in a browser (docs/why/native.md). The server plans them, and makes the analysis from
// their results (`spelunke.solvers.elsewhere`).
import { sha256 } from "./digest.js";
import { chooseAgain, settle, sumUp } from "./settle.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {{ worlds: number[], number: string, games: number, parts: number, knower: number }} Pass */
/**
 * A task; see `spelunke.solvers.elsewhere.Task`.
 * @typedef {{ first: Pass, lines?: number[][], seat?: number, last?: Pass, keep?: number, played?: number, seats?: number[], sequences?: number[][][] }} Task
 */
/** @typedef {{ seats: number, worlds: string[], tasks: Task[] }} Plan */

const STREAMS = 2147483085n * 2n ** 32n - 2n; // the number of random streams (`spelunke.core.chance`)
const encoder = new TextEncoder();

/** Return the first state of each random stream of a job, as `seed_stream` in Python makes it. @param {Pass} pass */
export function seedsOf({ number, games }) {
  return BigInt64Array.from({ length: games }, (_, k) => {
    const hash = new DataView(sha256(encoder.encode(`${number},${k}`)).buffer);
    return 1n + (((hash.getBigUint64(0) << 64n) | hash.getBigUint64(8)) % STREAMS);
  });
}

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Return the samples of the first seats only: the seats of the table that nobody uses have zeros.
 * @param {Float64Array<ArrayBuffer>} samples @param {number} rows @param {number} share The share of these seats.
 */
function cut(samples, rows, share) {
  const row = samples.length / rows;
  const found = new Float64Array(samples.length * share);
  for (let k = 0; k < rows; k += 1) found.set(samples.subarray(k * row, (k + share) * row), k * row * share);
  return found;
}

/** A game's rules, and what a plan has for all of its tasks. @typedef {{ rules: Engine, seats: number, worlds: string[] }} Place */

/** Play lines out. @param {Place} place @param {Pass} pass @param {readonly (readonly number[])[]} lines */
function play({ rules, seats, worlds }, pass, lines) {
  const begun = pass.worlds.map((world) => bytesOf(worlds[world] ?? ""));
  const job = { worlds: begun, lines, seeds: seedsOf(pass), parts: pass.parts };
  const { samples, left } = rules.playOut({ ...job, knower: pass.knower });
  const seated = cut(samples, lines.length * pass.games, seats / rules.sizes.seats);
  const given = { samples: seated, lines: lines.length, games: pass.games, seats };
  return { given, left: [...left] };
}

/**
 * Return all combinations of the choices of several seats as lines. The last seat's choice varies fastest.
 * @param {readonly number[]} seats @param {readonly number[][][]} sequences
 */
function combine(seats, sequences) {
  /** @type {number[][]} */
  let lines = [[]];
  for (const [k, seat] of seats.entries()) {
    const mine = (sequences[k] ?? []).map((steps) => steps.flatMap((step) => [seat, step]));
    lines = lines.flatMap((line) => mine.map((more) => [...line, ...more]));
  }
  return lines;
}

/** Return the results of a task as the server reads them. @param {Place} place @param {Task} task */
function work(
  place,
  { first, lines = [], seat = -1, last, keep = 0, played = -1, seats = [], sequences = [] },
) {
  if (seats.length) {
    const { given, left } = play(place, first, combine(seats, sequences));
    const deciders = left.reduce((all, one) => all | one, 0);
    return [
      deciders,
      ...settle(
        given,
        seats,
        sequences.map((mine) => mine.length),
      ),
    ];
  }
  /** @param {Pass} pass @param {readonly number[][]} some */
  const pass = (pass, some) => {
    const { given, left } = play(place, pass, some);
    const sums = sumUp(given, seat);
    return { sums, told: [...left, ...sums.means, ...sums.errors, ...sums.alike, ...sums.apart] };
  };
  const { sums, told } = pass(first, lines);
  if (!last) return told;
  const again = chooseAgain(sums, lines.length, place.seats, seat, keep, played);
  return [
    ...told,
    ...pass(
      last,
      again.map((line) => lines[line] ?? []),
    ).told,
  ];
}

/** Return the number of playouts of a task. @param {Task} task */
function sizeOf({ first, lines = [], last, keep = 0, seats = [], sequences = [] }) {
  const all = seats.length ? sequences.reduce((size, mine) => size * mine.length, 1) : lines.length;
  return all * first.games + (last ? keep * last.games : 0);
}

/**
 * Run all playouts of a plan, and return their results.
 * @param {Engine} rules
 * @param {Plan} plan
 * @param {(share: number) => void} tell Is called after each task with the finished share of the playouts, from 0 to 1.
 */
export function workOff(rules, { seats, worlds, tasks }, tell = () => {}) {
  const whole = tasks.reduce((sum, task) => sum + sizeOf(task), 0);
  let done = 0;
  const found = tasks.map((task) => {
    const told = Float32Array.from(work({ rules, seats, worlds }, task));
    done += sizeOf(task);
    tell(done / whole);
    return told;
  });
  const results = new Float32Array(found.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of found) {
    results.set(one, at);
    at += one.length;
  }
  return results;
}
