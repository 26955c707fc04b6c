// The page that verifies the chance of a record, in this browser alone: the verdict, and where the record comes from.
import { examine, isBound, numbersOf } from "./chance.js";
import { closest, find, need } from "./dom.js";
import { parseRecord } from "./record.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Fairness} Fairness */
/** @typedef {import("./chance.js").Fault} Fault */
/** @typedef {import("./chance.js").Kind} Kind */
/** @typedef {{ verdict: string, text: string, ply?: number | null }} Verdict */
/** @typedef {{ chances: number, agree: number, free: number, first: { ply: number, fault: Fault } | null }} Count */

const CHANCE = -1; // the seat that chance has in a record

const words = need("verify", HTMLElement).dataset;
const place = need("verdict", HTMLElement);

/**
 * A sentence of the page, with its gaps filled.
 * @param {string} name
 * @param {Record<string, string | number | undefined>} [values]
 */
function say(name, values = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, gap) => String(values[gap] ?? ""));
}

/**
 * The kinds of chance of the record's game.
 * @param {GameRecord} record
 * @returns {Promise<Kind[]>}
 */
async function fetchKinds(record) {
  const seats = String(record.seats.length);
  const query = new URLSearchParams({ game: record.game, seats, ...record.options });
  try {
    const answer = await fetch(`/verify/book.json?${query}`);
    if (answer.ok) return await answer.json();
  } catch {
    // offline: the book of a table with nothing changed may do
  }
  return JSON.parse(words.books ?? "{}")[`${record.game}/${seats}`] ?? [];
}

/**
 * Go through all outcomes of chance: how many there are, how many the seed agrees with, and the first that is wrong.
 * @param {GameRecord} record
 * @param {Fairness} fairness
 * @param {string} seed
 * @returns {Promise<Count>}
 */
async function recount(record, fairness, seed) {
  const pick = await numbersOf(record, fairness, seed);
  const kinds = (await fetchKinds(record)).map((kind) => ({ ...kind, left: [] }));
  /** @type {Count} */
  const count = { chances: 0, agree: 0, free: 0, first: null };
  for (const [ply, [seat, said, , share = null]] of record.plies.entries()) {
    if (seat !== CHANCE) continue;
    const k = count.chances;
    count.chances += 1;
    const point = share && (await pick(k, share[2]));
    if (share && point !== null && point >= share[0] && point < share[1]) count.agree += 1;
    if (count.first) continue;
    const { fault, free } = await examine(pick, kinds, k, said, share);
    if (fault) count.first = { ply, fault };
    else if (free) count.free += 1;
  }
  return count;
}

/**
 * What is to be said of a record.
 * @param {GameRecord} record
 * @returns {Promise<Verdict>}
 */
async function judge(record) {
  const { fairness } = record;
  if (!fairness?.seed) return { verdict: "unproven", text: say("unproven") };
  const bound = await isBound(fairness, fairness.seed);
  const { chances, agree, free, first } = await recount(record, fairness, fairness.seed);
  const ply = first ? say("ply", { ply: first.ply }) : "";
  /** @type {(where: string, reason: string) => Verdict} */
  const altered = (where, reason) => {
    const text = `${say("altered", { place: where, reason })}.`;
    return { verdict: "altered", ply: first?.ply ?? null, text };
  };
  if (agree * 2 < chances) {
    return bound
      ? altered("fairness.nonces", say("nonces", { ply }))
      : altered("fairness.seed", say("seed", { ply }));
  }
  if (first) return altered(ply, say(first.fault.words, first.fault));
  if (!bound) return altered("fairness.commitment", say("notbound"));
  const told = [say("fair", { chances }), free ? say("partly", { free }) : "", say("moves")];
  return { verdict: "fair", text: told.filter(Boolean).join(" ") };
}

/**
 * Show a verdict.
 * @param {string} verdict
 * @param {string} text
 */
function show(verdict, text) {
  const look = { fair: "good", unproven: "warn" }[verdict] ?? "bad";
  const note = document.createElement("p");
  note.className = `notice verdict ${look}`;
  note.textContent = text;
  place.dataset.verdict = verdict;
  place.replaceChildren(note);
}

/**
 * Verify the record in a text.
 * @param {string} text
 */
async function take(text) {
  try {
    const { verdict, ply, text: told } = await judge(parseRecord(text));
    if (ply === undefined || ply === null) delete place.dataset.ply;
    else place.dataset.ply = String(ply);
    show(verdict, told);
  } catch (error) {
    show("unread", say("unread", { reason: error instanceof Error ? error.message : String(error) }));
  }
}

/** @param {FileList | null | undefined} files */
async function takeFile(files) {
  if (files?.[0]) await take(await files[0].text());
}

const input = need("file", HTMLInputElement);
input.addEventListener("change", () => takeFile(input.files));
const drop = closest(input, ".file-drop", HTMLElement);
drop?.addEventListener("dragover", (event) => event.preventDefault());
drop?.addEventListener("drop", async (event) => {
  event.preventDefault();
  await takeFile(event.dataTransfer?.files);
});
const button = find("fetch", HTMLButtonElement);
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const answer = await fetch(words.record ?? "", { headers: { Accept: "application/json" } });
    await take(await answer.text());
  });
}
