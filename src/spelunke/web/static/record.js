// The parts of a game's record that are needed to verify it. docs/records.md describes the format.

/** @typedef {[low: number, high: number, total: number]} Share */
/** @typedef {[seat: number, text: string, ms?: number, share?: Share | null]} Ply */
/** @typedef {{ commitment: string, nonces: string[], seed?: string | null, deal?: { event: string, number: number } }} Fairness */
/** @typedef {{ name: string, kind: "person" | "bot", level?: string | null }} Seat */
/** @typedef {{ viewer: number | null, seen: number, link: string }} Head */
/**
 * @typedef {object} Proof
 * @property {number} started
 * @property {[commitment: string | null, how: string][]} nonces
 * @property {[row: number, seat: number, text: string, ms: number][]} notes
 * @property {[row: number, seat: number, text: string, ms: number][]} [undone]
 * @property {Record<string, number[]>} bots
 * @property {string} links
 * @property {string} head
 * @property {Head[]} heads
 * @property {string | null} [key]
 * @property {string | null} [signature]
 */
/**
 * @typedef {object} GameRecord
 * @property {string} format
 * @property {string} game
 * @property {number} rules
 * @property {string} table
 * @property {Seat[]} seats
 * @property {Record<string, string>} [options]
 * @property {Ply[]} plies
 * @property {Fairness | null} [fairness]
 * @property {Proof | null} [proof]
 * @property {{ reason: string, seat?: number | null, ranks?: number[], scores?: number[] | null } | null} [result]
 * @property {{ table: string, ply: number, position: unknown, chained?: boolean } | null} [origin]
 */

/** @param {unknown} what @param {string} reason @returns {asserts what} */
function must(what, reason) {
  if (!what) throw new Error(reason);
}

const FORMATS = ["spelunke-record-1", "spelunke-record-2"];
const HASH = /^[0-9a-f]{64}$/;

/** @param {unknown} share @returns {share is Share} */
function isShare(share) {
  if (!Array.isArray(share) || share.length !== 3) return false;
  const [low, high, total] = share;
  return share.every((n) => Number.isSafeInteger(n) && n >= 0) && low < high && high <= total;
}

/**
 * Throw an Error that names the wrong place, if a proof has a wrong form.
 * @param {any} proof
 */
function checkProof(proof) {
  must(proof && Number.isSafeInteger(proof.started), "proof");
  must(Array.isArray(proof.nonces) && proof.nonces.every(Array.isArray), "proof.nonces");
  must(Array.isArray(proof.notes) && proof.notes.every(Array.isArray), "proof.notes");
  must(!proof.undone || (Array.isArray(proof.undone) && proof.undone.every(Array.isArray)), "proof.undone");
  must(proof.bots && Object.values(proof.bots).every(Array.isArray), "proof.bots");
  must(/^([0-9a-f]{8})+$/.test(proof.links) && HASH.test(proof.head), "proof.links");
  must(Array.isArray(proof.heads) && proof.heads.length > 0, "proof.heads");
  must(!proof.key || HASH.test(proof.key), "proof.key");
  must(!proof.signature || /^[0-9a-f]{128}$/.test(proof.signature), "proof.signature");
}

/**
 * Parse a record. If it has a wrong form, throw an Error that names the place.
 * @param {string} text
 * @returns {GameRecord}
 */
export function parseRecord(text) {
  const record = JSON.parse(text);
  must(record && FORMATS.includes(record.format), "format");
  must(Array.isArray(record.plies) && Array.isArray(record.seats), "plies");
  for (const [number, ply] of record.plies.entries()) {
    const whole = Array.isArray(ply) && Number.isInteger(ply[0]) && typeof ply[1] === "string";
    must(whole, `plies[${number}]`);
  }
  const fairness = record.fairness;
  must(!fairness || (HASH.test(fairness.commitment) && Array.isArray(fairness.nonces)), "fairness");
  must(!fairness?.seed || HASH.test(fairness.seed), "fairness.seed");
  if (record.format === FORMATS[1]) checkProof(record.proof);
  for (const ply of record.plies) must(!ply[3] || isShare(ply[3]), "share");
  return record;
}
