// A record of a game, as far as its chance can be verified. The format is described in docs/records.md.

/** @typedef {[low: number, high: number, total: number]} Share */
/** @typedef {[seat: number, text: string, ms?: number, share?: Share | null]} Ply */
/** @typedef {{ commitment: string, nonces: string[], seed?: string | null }} Fairness */
/**
 * @typedef {object} GameRecord
 * @property {string} format
 * @property {string} game
 * @property {string} table
 * @property {unknown[]} seats
 * @property {Record<string, string>} [options]
 * @property {Ply[]} plies
 * @property {Fairness | null} [fairness]
 */

/** @param {unknown} what @param {string} reason @returns {asserts what} */
function must(what, reason) {
  if (!what) throw new Error(reason);
}

const HASH = /^[0-9a-f]{64}$/;

/** @param {unknown} share @returns {share is Share} */
function isShare(share) {
  if (!Array.isArray(share) || share.length !== 3) return false;
  const [low, high, total] = share;
  return share.every((n) => Number.isSafeInteger(n) && n >= 0) && low < high && high <= total;
}

/**
 * The record in a text; throws an Error with the place that is none.
 * @param {string} text
 * @returns {GameRecord}
 */
export function parseRecord(text) {
  const record = JSON.parse(text);
  must(record && record.format === "spelunke-record-1", "format");
  must(Array.isArray(record.plies) && Array.isArray(record.seats), "plies");
  for (const [number, ply] of record.plies.entries()) {
    const whole = Array.isArray(ply) && Number.isInteger(ply[0]) && typeof ply[1] === "string";
    must(whole, `plies[${number}]`);
  }
  const fairness = record.fairness;
  must(!fairness || (HASH.test(fairness.commitment) && Array.isArray(fairness.nonces)), "fairness");
  must(!fairness?.seed || HASH.test(fairness.seed), "fairness.seed");
  for (const ply of record.plies) must(!ply[3] || isShare(ply[3]), "share");
  return record;
}
