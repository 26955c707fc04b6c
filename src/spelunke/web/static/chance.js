// Compute the random numbers from a seed, and check that each number selects the outcome in the record. Each outcome
// owns a share of the numbers; the rules determine the shares, and are not in this module. docs/records.md has the
// algorithm.
import { digest, parseHex, signer, writeHex } from "./digest.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Fairness} Fairness */
/** @typedef {import("./record.js").Share} Share */
/** @typedef {(k: number, total: number) => Promise<number>} Pick */

/**
 * Return whether the seed matches the server's commitment.
 * @param {Fairness} fairness
 * @param {string} seed
 */
export async function isBound(fairness, seed) {
  return writeHex(await digest(parseHex(seed))) === fairness.commitment;
}

/**
 * Return a function that computes the k-th random number of a game, below a given total. All numbers are equally
 * likely.
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
 * Return whether the k-th number falls into the share of an outcome, or null if the record gives no share.
 * @param {Pick} pick
 * @param {number} k
 * @param {Share | null} share
 */
export async function pointsInto(pick, k, share) {
  if (!share) return null;
  const [low, high, total] = share;
  const number = await pick(k, total);
  return number >= low && number < high;
}
