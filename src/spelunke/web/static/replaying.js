// Replay a record by the rules. The server provides the rules as WebAssembly, and a table with the number of each text.
import { CHANCE, Engine, OVER } from "./engine.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./proof.js").Finding} Finding */
/** @typedef {import("./chance.js").Pick} Pick */
/** @typedef {{ actions: Record<string, number>, outcomes: Record<string, number>, options: Record<string, Record<string, number[]>>, usual: Record<string, number[]> }} Vocabulary */
/** @typedef {{ rules: Finding, chances: number, wrong: { ply: number, said: string } | null }} Replay */

/** @type {Map<string, Promise<[Engine, Vocabulary]>>} */
const loaded = new Map();

/**
 * Return the rules and the table of texts, loaded once. After a failure, the next call tries again.
 * @param {string} addresses
 */
function loadRules(addresses) {
  const kept = loaded.get(addresses);
  if (kept) return kept;
  const [module = "", words = ""] = addresses.split(" ");
  const coming = Promise.all([Engine.load(module), fetch(words).then((answer) => answer.json())]);
  loaded.set(addresses, coming);
  coming.catch(() => loaded.delete(addresses));
  return coming;
}

/** @param {string} text @param {Record<string, number[]>} values */
function optionNumbers(text, values) {
  const width = values["/"]?.[0];
  if (width === undefined) return values[text] ?? null;
  const parts = text.split("/").map(Number);
  return parts.length === width && parts.every(Number.isInteger) ? parts : null;
}

/**
 * Return the seats and options as numbers, or null if the table of texts lacks one of them.
 * @param {GameRecord} record @param {Vocabulary} words
 */
function setupOf(record, words) {
  const usual = words.usual[String(record.seats.length)];
  if (!usual) return null;
  const setup = [record.seats.length];
  for (const [name, values] of Object.entries(words.options)) {
    const width = values["/"]?.[0] ?? Object.values(values)[0]?.length ?? 1;
    const text = record.options?.[name];
    const at = setup.length - 1;
    const numbers = text === undefined ? usual.slice(at, at + width) : optionNumbers(text, values);
    if (!numbers) return null;
    setup.push(...numbers);
  }
  return setup;
}

/**
 * Return whether the k-th number of the seed selects this outcome.
 * @param {Pick} pick @param {number} k @param {import("./engine.js").Chances} chances @param {number} outcome
 */
async function brings(pick, k, { outcomes, weights }, outcome) {
  let left = await pick(
    k,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  for (const [at, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return outcomes[at] === outcome;
  }
  return false;
}

/**
 * Compare the result by the rules with the result in a record.
 * @param {Engine} rules @param {Uint8Array<ArrayBuffer>} state @param {GameRecord} record @returns {Finding}
 */
function compareEnd(rules, state, record) {
  const plies = record.plies.length;
  const { result } = record;
  const end = rules.result(state);
  if (result?.reason !== "played") {
    return end
      ? { state: "contradicted", words: "otherResult", values: { found: end.points.join(", "), said: "–" } }
      : { state: "proven", words: "part", values: { plies } };
  }
  if (!end) return { state: "contradicted", words: "notOver" };
  const seats = record.seats.length;
  const [points, ranks] = [end.points.slice(0, seats).join(", "), end.ranks.slice(0, seats).join(", ")];
  if (points === result.scores?.join(", ") && ranks === result.ranks?.join(", ")) {
    return { state: "proven", words: "played", values: { plies } };
  }
  return {
    state: "contradicted",
    words: "otherResult",
    values: { found: points, said: result.scores?.join(", ") ?? "–" },
  };
}

/**
 * Replay all plies. If the table of texts lacks a text of the record, return null: this is no error of the record.
 * @param {Engine} rules @param {Vocabulary} words @param {GameRecord} record @param {Pick | null} pick
 * @returns {Promise<Replay | null>}
 */
async function replay(rules, words, record, pick) {
  const setup = setupOf(record, words);
  if (!setup) return null;
  let state = rules.start(setup);
  let chances = 0;
  /** @type {Replay["wrong"]} */
  let wrong = null;
  for (const [ply, [seat, text]] of record.plies.entries()) {
    const number = (seat === CHANCE ? words.outcomes : words.actions)[text];
    if (number === undefined) return null;
    try {
      if (seat === CHANCE) {
        if (pick && !wrong && !(await brings(pick, chances, rules.chances(state), number))) {
          wrong = { ply, said: text };
        }
        chances += 1;
        state = rules.applyChance(state, number);
      } else state = rules.play(state, seat, number);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const rulesSay = /** @type {Finding} */ ({
        state: "contradicted",
        words: "notAllowed",
        ply,
        values: { text, ply },
      });
      return { rules: rulesSay, chances, wrong };
    }
  }
  if (rules.actors(state) === OVER || record.result)
    return { rules: compareEnd(rules, state, record), chances, wrong };
  return {
    rules: { state: "proven", words: "part", values: { plies: record.plies.length } },
    chances,
    wrong,
  };
}

/**
 * Replay a record by the rules in this browser. The finding is "not proven" if the browser has no WebAssembly, if the
 * server has no rules of this game in this version, if the game began from a position, or if the replay fails.
 * @param {GameRecord} record
 * @param {string | undefined} addresses The addresses of the module and of its table of texts.
 * @param {Pick | null} pick
 * @returns {Promise<Replay>}
 */
export async function replayByRules(record, addresses, pick) {
  /** @type {Replay} */
  const unjudged = { rules: { state: "not proven", words: "noRules" }, chances: -1, wrong: null };
  if (!addresses || typeof WebAssembly === "undefined" || record.origin) return unjudged;
  try {
    const [rules, words] = await loadRules(addresses);
    if (rules.sizes.version !== record.rules) {
      const values = { here: rules.sizes.version, there: record.rules };
      return { ...unjudged, rules: { state: "not proven", words: "otherRules", values } };
    }
    return (await replay(rules, words, record, pick)) ?? unjudged;
  } catch {
    return unjudged;
  }
}
