// The numbers that a seed brings, and whether they point into the shares that a record gives its outcomes. Which outcome has
// which share is a matter of the rules, which are not here. The algorithm is described in docs/records.md.
import { digest, parseHex, signer, writeHex } from "./digest.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Fairness} Fairness */
/** @typedef {import("./record.js").Share} Share */
/** @typedef {(k: number, total: number) => Promise<number>} Pick */

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
 * Whether the k-th number points into the share of an outcome; null where the record gives none.
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
