// What chance should have been: the numbers that a seed brings, and the outcomes that a game makes of them. The algorithm
// is described in docs/records.md.
import { digest, parseHex, signer, writeHex } from "./digest.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Fairness} Fairness */
/** @typedef {import("./record.js").Share} Share */
/**
 * One kind of chance of a game: what it can bring and how often. Of an urn it is brought once; `left` is what remains.
 * @typedef {{ mode: string, texts: string[], weights: number[], left: number[] }} Kind
 */
/** @typedef {(k: number, total: number) => Promise<number>} Pick */
/** @typedef {{ words: "wrong" | "share" | "unknown", due?: string, said: string }} Fault */
/** @typedef {{ fault?: Fault, free?: boolean }} Finding */

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * Whether the seed is the one that the house was bound to.
 * @param {Fairness} fairness
 * @param {string} seed
 */
export async function isBound(fairness, seed) {
  return writeHex(await digest(parseHex(seed))) === fairness.commitment;
}

/**
 * The k-th number of a game below a total, without bias.
 * @param {GameRecord} record
 * @param {Fairness} fairness
 * @param {string} seed
 * @returns {Promise<Pick>}
 */
export async function numbersOf(record, fairness, seed) {
  const sign = await signer(parseHex(seed));
  const context = ["spelunke-chance-1", record.table, ...fairness.nonces].join("\n");
  const encoder = new TextEncoder();
  return async (k, total) => {
    const whole = BigInt(total);
    const ceiling = 2n ** 64n - (2n ** 64n % whole);
    for (let attempt = 0; ; attempt += 1) {
      const bytes = await sign(encoder.encode(`${context}\n${k}\n${attempt}`));
      const number = new DataView(bytes.buffer).getBigUint64(0);
      if (number < ceiling) return Number(number % whole);
    }
  };
}

/**
 * Take one outcome out of an urn.
 * @param {Kind} kind
 * @param {number} index
 */
function take(kind, index) {
  if (kind.mode === "urn") kind.left[index] = Math.max(0, (kind.left[index] ?? 0) - 1);
}

/**
 * The weights that hold for the next outcome of a kind; an empty urn, or one that must be full, is filled.
 * @param {Kind} kind
 * @param {Share | null} share
 */
function weightsOf(kind, share) {
  if (kind.mode !== "urn") return kind.weights;
  if (share?.[2] === sum(kind.weights) || !sum(kind.left)) kind.left = [...kind.weights];
  return kind.left;
}

/**
 * Compare an outcome with the one that its number brings.
 * @param {Kind} kind
 * @param {readonly number[]} weights
 * @param {number} number
 * @param {string} said
 * @param {Share | null} share
 * @returns {Finding}
 */
function compare(kind, weights, number, said, share) {
  let rest = number;
  const index = weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
  const low = sum(weights.slice(0, index));
  take(kind, index);
  if (index !== kind.texts.indexOf(said)) return { fault: { words: "wrong", due: kind.texts[index], said } };
  return share && share[0] !== low ? { fault: { words: "share", said } } : {};
}

/**
 * One outcome: what it should have been, as far as the book of the game tells; `free` where only the share tells.
 * @param {Pick} pick
 * @param {readonly Kind[]} kinds
 * @param {number} k
 * @param {string} said
 * @param {Share | null} share
 * @returns {Promise<Finding>}
 */
export async function examine(pick, kinds, k, said, share) {
  const kind = kinds.find((one) => one.texts.includes(said));
  const told = kinds.length > 0 && kinds.every((one) => one.mode !== "other");
  if (!kind && told) return { fault: { words: "unknown", said } };
  if (kind && kind.mode !== "other") {
    const weights = weightsOf(kind, share);
    const whole = sum(weights);
    if (!share || share[2] === whole) return compare(kind, weights, await pick(k, whole), said, share);
    take(kind, kind.texts.indexOf(said));
  }
  if (!share) return { free: true };
  const [low, high, total] = share;
  const number = await pick(k, total);
  return number >= low && number < high ? { free: true } : { fault: { words: "share", said } };
}
