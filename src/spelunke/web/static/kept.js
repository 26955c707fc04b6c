// Compare a noted link of a chain with a record. The record contains each viewer's last link. Earlier links are
// recomputed from the server's data of the game.
import { canonical, encode } from "./canonical.js";
import { digest, writeHex } from "./digest.js";
import { isSigned, joinBytes } from "./proof.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Head} Head */
/** @typedef {import("./proof.js").Finding} Finding */
/**
 * @typedef {object} Kept
 * @property {string} link All hexadecimal digits of the link, or its first 66 bits.
 * @property {string} [table]
 * @property {number | null} [viewer]
 * @property {number} [seen]
 * @property {string | null} [key]
 * @property {string | null} [signature]
 */

const BITS = 11;
const WORDS = 6;

/** @type {Promise<string[]> | undefined} */
let list;

async function askForWords() {
  try {
    const answer = await fetch("/verify/words.json");
    if (answer.ok) return await answer.json();
  } catch {
    // without a connection
  }
  list = undefined; // ask again next time
  return [];
}

/** Return the list of the words with which links are written, or an empty list if it can't be fetched. */
export function fetchWords() {
  list ??= askForWords();
  return list;
}

/** @param {string} link */
async function wordsOf(link) {
  const bits = [...link].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const words = await fetchWords();
  return Array.from({ length: WORDS }, (_, k) => {
    return words[Number.parseInt(bits.slice(k * BITS, (k + 1) * BITS), 2)];
  }).join(" ");
}

/**
 * Parse a noted link: six words, 64 digits, or the text that a table's page copies. Capital letters, commas, semicolons,
 * full stops and line breaks do not matter. For anything else, return a finding that says what is wrong.
 * @param {string} text
 * @returns {Promise<Kept | Finding>}
 */
export async function readKept(text) {
  /** @type {Finding} */
  const unread = { state: "not proven", words: "keptUnread" };
  if (text.includes("{")) {
    try {
      const { link, table, viewer, seen, key, signature } = JSON.parse(text.slice(text.indexOf("{")));
      const whole = /^[0-9a-f]{64}$/.test(link) && Number.isSafeInteger(seen);
      return whole ? { link, table, viewer, seen, key, signature } : unread;
    } catch {
      return unread;
    }
  }
  const parts = text
    .toLowerCase()
    .split(/[\s,;.]+/)
    .filter(Boolean);
  const link = parts.join(" ");
  if (/^[0-9a-f]{64}$/.test(link)) return { link };
  if (parts.length !== WORDS) return { ...unread, words: "keptCount", values: { n: parts.length } };
  const words = await fetchWords();
  const wrong = words.length && parts.find((part) => !words.includes(part));
  return wrong ? { ...unread, words: "keptTypo", values: { word: wrong } } : { link };
}

/** @param {string} link @param {Kept} kept */
async function isSame(link, kept) {
  return link === kept.link || (await wordsOf(link)) === kept.link;
}

/**
 * Return all links of a viewer, from the server's data. Return none if the data are missing or contradict the record.
 * @param {GameRecord} record
 * @param {Head} head
 */
async function linksOf(record, head) {
  const viewer = head.viewer ?? "spectator";
  try {
    const answer = await fetch(`/api/v1/tables/${record.table}/chain?viewer=${viewer}`);
    if (!answer.ok) return [];
    /** @type {{ opening: string, told: string[] }} */
    const { opening, told } = await answer.json();
    let link = await digest(encode(opening));
    const links = [writeHex(link)];
    for (const text of told) {
      link = await digest(joinBytes(link, encode(text)));
      links.push(writeHex(link));
    }
    return links.at(-1) === head.link ? links : [];
  } catch {
    return [];
  }
}

/**
 * Return whether the signature of the noted link is wrong. Return false if the link has no signature, or if this
 * browser can't verify signatures.
 * @param {GameRecord} record
 * @param {Kept} kept
 */
async function isForged(record, kept) {
  const { viewer, seen, link, key, signature } = kept;
  if (!key || !signature || viewer === undefined) return false;
  const head = { format: "spelunke-head-1", table: record.table, viewer, seen, link };
  return (await isSigned(key, signature, canonical(head))) === false;
}

/**
 * Return the number of rows after which a viewer had this link. Return null if the viewer
 * never had it, or undefined if this is unknown.
 * @param {GameRecord} record
 * @param {Head} head
 * @param {Kept} kept
 */
async function findStep(record, head, kept) {
  if (await isSame(head.link, kept)) return head.seen;
  const links = await linksOf(record, head);
  for (const [step, link] of links.entries()) if (await isSame(link, kept)) return step;
  return links.length ? null : undefined;
}

/**
 * Return whether the noted link is one of those that the record states. These links are not computed from the moves,
 * so the finding proves something only if the server signed the record.
 * @param {GameRecord} record
 * @param {Kept} kept
 * @returns {Promise<Finding>}
 */
export async function examineKept(record, kept) {
  const { proof, table } = record;
  if (!proof) return { state: "not proven", words: "old" };
  if (kept.table && kept.table !== table) {
    return { state: "contradicted", words: "otherTable", values: { table: kept.table } };
  }
  if (await isForged(record, kept)) return { state: "contradicted", words: "keptUnsigned" };
  if (kept.link.includes(" ") && !(await fetchWords()).length) {
    return { state: "not proven", words: "keptWords" };
  }
  let known = true;
  for (const head of proof.heads) {
    if (kept.viewer !== undefined && kept.viewer !== head.viewer) continue;
    const seen = await findStep(record, head, kept);
    if (seen === undefined) known = false;
    else if (seen !== null) {
      return head.viewer === null
        ? { state: "proven", words: "keptSpectator", values: { seen } }
        : { state: "proven", words: "kept", values: { name: record.seats[head.viewer]?.name ?? "", seen } };
    }
  }
  return known
    ? { state: "contradicted", words: "keptOther" }
    : { state: "not proven", words: "keptUnknown" };
}
