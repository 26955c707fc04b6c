// Check the proofs in a record of format 2, except for chance: nonces, the hash chain of its rows, and the server's
// signature. docs/records.md describes each step.
import { canonical, encode } from "./canonical.js";
import { digest, parseHex, signer, writeHex } from "./digest.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Proof} Proof */
/** @typedef {{ number: number, seat: number, text: string, ms: number, ply: number, note: boolean }} Row */
/** @typedef {"proven" | "not proven" | "contradicted"} State */
/** @typedef {{ state: State, words: string, values?: Record<string, string | number>, ply?: number }} Finding */

const SHORT = 8; // digits of a row's link in a record

/**
 * @param {State} state
 * @param {string} words
 * @param {Record<string, string | number>} [values]
 * @param {number} [ply]
 * @returns {Finding}
 */
const finding = (state, words, values, ply) => ({
  state,
  words,
  ...(values ? { values } : {}),
  ...(ply === undefined ? {} : { ply }),
});

/** @param {...Uint8Array} parts */
export function joinBytes(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Return the rows of the log in order: plies, and between them notes and moves that were taken back.
 * @param {GameRecord} record
 * @param {Proof} proof
 * @returns {Row[]}
 */
function rowsOf(record, proof) {
  const others = new Map([...proof.notes, ...(proof.undone ?? [])].map((other) => [other[0], other]));
  /** @type {Row[]} */
  const rows = [];
  let ply = 0;
  for (let number = 1; number <= record.plies.length + others.size; number += 1) {
    const other = others.get(number);
    const [seat, text, ms = 0] = other ? [other[1], other[2], other[3]] : (record.plies[ply] ?? [-1, "", 0]);
    rows.push({ number, seat, text, ms, ply, note: Boolean(other) });
    if (!other) ply += 1;
  }
  return rows;
}

/**
 * Return the data of the position from which a game began, as the chain contains them. Return none for a normal start.
 * @param {GameRecord} record
 * @param {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} sign
 */
async function sealOrigin({ table, origin }, sign) {
  if (!origin?.chained) return {};
  const begun = canonical({ table: origin.table, ply: origin.ply, position: origin.position });
  return { origin: writeHex(new Uint8Array(await sign(encode(`origin\n${table}\n${begun}`)))) };
}

/**
 * Return the text at the beginning of the rows' chain.
 * @param {GameRecord} record
 * @param {Proof} proof
 * @param {{ origin?: string }} origin
 */
function openingOf(record, proof, origin) {
  return canonical({
    format: "spelunke-chain-1",
    viewer: "rows",
    table: record.table,
    game: record.game,
    rules: record.rules,
    options: record.options ?? {},
    seats: record.seats.map((seat) => (seat.kind === "person" ? "person" : `bot:${seat.level ?? ""}`)),
    started: proof.started,
    commitment: record.fairness?.commitment,
    nonces: record.fairness?.nonces,
    nonce_commitments: proof.nonces.map(([commitment]) => commitment ?? ""),
    ...dealOf(record),
    ...origin,
  });
}

/**
 * Return the part of an opening that names the event and the deal, if the table shares its chance.
 * @param {GameRecord} record
 */
function dealOf({ fairness }) {
  return fairness?.deal ? { deal: `${fairness.deal.event} ${fairness.deal.number}` } : {};
}

/** @type {Record<string, string>} */
const ENDINGS = {
  resigned: "!resign",
  time: "!time",
  left: "!left",
  agreed: "!draw",
  called_off: "!off",
};

/**
 * Return whether the result of a game that ended early agrees with the last row.
 * @param {GameRecord} record
 * @param {Row | undefined} last
 */
function isEnded(record, last) {
  const due = ENDINGS[record.result?.reason ?? ""];
  if (!due) return true;
  const seat = record.result?.seat ?? last?.seat;
  return last?.text.split(" ")[0] === due && last.seat === seat;
}

/**
 * Return whether the rows match the hash chain. If not, the finding names the first row that differs.
 * @param {GameRecord} record
 * @returns {Promise<Finding>}
 */
export async function examineRows(record) {
  const { proof, fairness } = record;
  if (!proof) return finding("not proven", "old");
  if (!fairness?.seed) return finding("not proven", "salted");
  const sign = await signer(parseHex(fairness.seed));
  const levels = new Map();
  for (const [level, numbers] of Object.entries(proof.bots)) {
    for (const number of numbers) levels.set(number, level);
  }
  let link = await digest(encode(openingOf(record, proof, await sealOrigin(record, sign))));
  if (!proof.links.startsWith(writeHex(link).slice(0, SHORT))) return finding("contradicted", "opening");
  const rows = rowsOf(record, proof);
  const chained = proof.links.length / SHORT - 1;
  for (const row of rows.slice(0, chained)) {
    const salt = await sign(encode(`salt\n${record.table}\n${row.number}`));
    const level = levels.get(row.number);
    const told = [row.number, row.seat, row.text, row.ms, ...(level === undefined ? [] : [level])];
    link = await digest(joinBytes(link, salt, encode(canonical(told))));
    const due = proof.links.slice(row.number * SHORT, (row.number + 1) * SHORT);
    if (writeHex(link).slice(0, SHORT) !== due) {
      return finding("contradicted", "row", { text: row.text, ply: row.ply }, row.ply);
    }
  }
  if (rows.length !== chained) {
    const ply = rows.length > chained ? (rows[chained]?.ply ?? 0) : record.plies.length;
    return finding("contradicted", "length", { chained, rows: rows.length, ply }, ply);
  }
  const last = rows.at(-1);
  if (!isEnded(record, last)) return finding("contradicted", "ending", { text: last?.text ?? "" });
  if (writeHex(link) !== proof.head) return finding("contradicted", "head");
  return proof.signature
    ? finding("proven", "chained", { rows: rows.length })
    : finding("not proven", "unsigned");
}

/**
 * Return whether each nonce matches its seat's commitment.
 * @param {GameRecord} record
 * @returns {Promise<Finding>}
 */
export async function examineNonces(record) {
  const { proof, fairness } = record;
  if (!proof || !fairness) return finding("not proven", "oldNonces");
  for (const [seat, [commitment]] of proof.nonces.entries()) {
    const nonce = fairness.nonces[seat] ?? "";
    if (nonce && writeHex(await digest(encode(nonce))) !== commitment) {
      return finding("contradicted", "otherNonce", { name: record.seats[seat]?.name ?? "" });
    }
  }
  const how = proof.nonces.map(([, word]) => word);
  const given = how.filter((word) => word !== "none").length;
  if (!given) return finding("not proven", "noNonce");
  for (const word of ["unopened", "sent"]) {
    const name = record.seats[how.indexOf(word)]?.name;
    if (name !== undefined && (word === "unopened" || given > 1))
      return finding("not proven", word, { name });
  }
  return finding("proven", "committed");
}

/**
 * Return whether the owner of a key signed a text. Return null if this browser can't verify the signature.
 * @param {string} key
 * @param {string} signature
 * @param {string} text
 */
export async function isSigned(key, signature, text) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  try {
    const known = await subtle.importKey("raw", parseHex(key), { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, known, parseHex(signature), encode(text));
  } catch {
    return null;
  }
}

/**
 * Return whether the record matches the server's signature.
 * @param {GameRecord} record
 * @returns {Promise<Finding>}
 */
export async function examineSeal(record) {
  const { proof } = record;
  if (!proof) return finding("not proven", "old");
  const { signature, ...rest } = proof;
  if (!signature || !proof.key) return finding("not proven", "unsigned");
  const plies = record.plies.map((ply) => (ply[3] === null ? ply.slice(0, 3) : ply));
  const signed = await isSigned(proof.key, signature, canonical({ ...record, plies, proof: rest }));
  if (signed === null) return finding("not proven", "noEd25519");
  return signed ? finding("proven", "signed", { key: proof.key }) : finding("contradicted", "seal");
}
