// The numbers from a seed, and the check that they match the shares of outcomes in a record. The rules, which determine
// these shares, are not in this module. The algorithm is described in docs/records.md.
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
 * Return a function that gives the k-th number of a game. All numbers below the given total are equally likely.
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
 * Return whether the k-th number falls into the share of an outcome; null if the record gives no share.
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
