// A link that somebody kept, compared with a record: the last of each viewer stands in the record itself, the others are
// made anew from what the house tells of the game.
import { canonical, encode } from "./canonical.js";
import { digest, writeHex } from "./digest.js";
import { isSigned, joinBytes } from "./proof.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Head} Head */
/** @typedef {import("./proof.js").Finding} Finding */
/**
 * @typedef {object} Kept
 * @property {string} link Its digits, or the first 66 of its bits.
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

/** The words by which links are told, in their order. */
export function fetchWords() {
  list ??= fetch("/verify/words.json").then((answer) => (answer.ok ? answer.json() : []));
  return list.catch(() => []);
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
 * What somebody kept: six words, 64 digits, or all that a table's page copies. Null for anything else.
 * @param {string} text
 * @returns {Kept | null}
 */
export function readKept(text) {
  const whole = text.trim();
  if (whole.includes("{")) {
    try {
      const found = JSON.parse(whole.slice(whole.indexOf("{")));
      return /^[0-9a-f]{64}$/.test(found.link) && Number.isSafeInteger(found.seen) ? found : null;
    } catch {
      return null;
    }
  }
  const link = whole.toLowerCase().split(/\s+/).join(" ");
  return /^[0-9a-f]{64}$/.test(link) || /^([a-z]+ ){5}[a-z]+$/.test(link) ? { link } : null;
}

/** @param {string} link @param {Kept} kept */
async function isSame(link, kept) {
  return link === kept.link || (await wordsOf(link)) === kept.link;
}

/**
 * All links of a viewer, as the house tells the game; empty where it can't be asked, or tells another than the record.
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
 * Whether the house did not sign what it seems to have signed.
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
 * After how many rows a viewer had that link; null if never, undefined where that can't be told here.
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
 * Whether what was kept is a link of this record.
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
  let known = true;
  for (const head of proof.heads) {
    if (kept.viewer !== undefined && kept.viewer !== head.viewer) continue;
    const seen = await findStep(record, head, kept);
    if (seen === undefined) known = false;
    else if (seen !== null) {
      return { state: "proven", words: "kept", values: { who: head.viewer ?? "–", seen } };
    }
  }
  return known
    ? { state: "contradicted", words: "keptOther" }
    : { state: "not proven", words: "keptUnknown" };
}
