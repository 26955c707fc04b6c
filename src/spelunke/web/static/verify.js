// The page that verifies a record in this browser, without trust in the server. If the server offers the rules as
// WebAssembly, the browser also replays the game by the rules.
import "./bell.js";
import { isBound, numbersOf, pointsInto } from "./chance.js";
import { closest, find, need } from "./dom.js";
import { examineKept, fetchWords, readKept } from "./kept.js";
import { still } from "./preferences.js";
import { examineNonces, examineRows, examineSeal } from "./proof.js";
import { parseRecord } from "./record.js";
import { replayByRules } from "./replaying.js";

/** @typedef {import("./record.js").GameRecord} GameRecord */
/** @typedef {import("./record.js").Fairness} Fairness */
/** @typedef {import("./proof.js").Finding} Finding */
/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./replaying.js").Replay} Replay */
/** @typedef {{ claim: string, state: string, text: string, ply?: number | null }} Claim */
/** @typedef {{ verdict: string, text: string, ply?: number | null, claims?: Claim[] }} Verdict */
/** @typedef {{ chances: number, shares: number, agree: number, first: { ply: number, said: string } | null }} Count */

const CHANCE = -1; // the seat of chance in a record

const words = need("verify", HTMLElement).dataset;
const place = need("verdict", HTMLElement);

/**
 * Return a sentence of the page, with its placeholders filled.
 * @param {string} name
 * @param {Record<string, string | number | undefined>} [values]
 */
function say(name, values = {}) {
  return (words[name] ?? "").replace(/\{(\w+)\}/g, (_, gap) => String(values[gap] ?? ""));
}

/**
 * Count all outcomes of chance, those with a share, and those that agree with the seed. Find the first outcome that
 * disagrees.
 * @param {GameRecord} record
 * @param {Fairness} fairness
 * @param {string} seed
 * @returns {Promise<Count>}
 */
async function recount(record, fairness, seed) {
  const pick = await numbersOf(record, fairness, seed);
  /** @type {Count} */
  const count = { chances: 0, shares: 0, agree: 0, first: null };
  for (const [ply, [seat, said, , share = null]] of record.plies.entries()) {
    if (seat !== CHANCE) continue;
    const found = await pointsInto(pick, count.chances, share);
    count.chances += 1;
    count.shares += Number(found !== null);
    count.agree += Number(found === true);
    if (found === false && !count.first) count.first = { ply, said };
  }
  return count;
}

/**
 * Return the verdict on the record's chance. A replay checks that each share agrees with the rules. Without a replay,
 * the shares count as right if this server signed the record, else as not proven.
 * @param {GameRecord} record
 * @param {Replay} played
 * @param {boolean} signed Whether this server signed the record.
 * @returns {Promise<Verdict>}
 */
async function judgeChance(record, played, signed) {
  const { fairness } = record;
  if (!fairness?.seed) return { verdict: "unproven", text: say(fairness ? "unseeded" : "undecided") };
  const bound = await isBound(fairness, fairness.seed);
  if (fairness.deal && bound) return { verdict: "unproven", text: say("shared") };
  const { chances, shares, agree, first } = await recount(record, fairness, fairness.seed);
  const ply = first ? say("ply", { ply: first.ply }) : "";
  /** @type {(where: string, reason: string) => Verdict} */
  const altered = (where, reason) => {
    const text = `${say("altered", { place: where, reason })}.`;
    return { verdict: "altered", ply: first?.ply ?? null, text };
  };
  if (agree * 2 < shares) {
    return bound
      ? altered("fairness.nonces", say("nonces", { ply }))
      : altered("fairness.seed", say("seed", { ply }));
  }
  if (!bound) return altered("fairness.commitment", say("notbound"));
  if (first) return altered(ply, say("share", first));
  if (played.wrong) {
    const { ply: number, said } = played.wrong;
    const where = say("ply", { ply: number });
    const told = say("altered", { place: where, reason: say("share", { said }) });
    return { verdict: "altered", ply: number, text: `${told}.` };
  }
  if (played.chances === chances) {
    if (signed) return { verdict: "fair", text: `${say("fair", { chances })} ${say("byrules")}` };
    return { verdict: "unproven", text: `${say("unproven")} ${say("unknown")} ${say("byrules")}` };
  }
  if (signed && shares === chances) {
    return { verdict: "fair", text: `${say("fair", { chances })} ${say("byhouse")}` };
  }
  const told = [say("unproven"), signed ? "" : say("unknown"), say("numbers", { shares, chances })];
  return { verdict: "unproven", text: told.filter(Boolean).join(" ") };
}

/** @param {string} name */
function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * Return a claim in the words of the page.
 * @param {string} name
 * @param {Finding} found
 * @returns {Claim}
 */
function tell(name, found) {
  const text = say(`say${capital(found.words)}`, found.values);
  return { claim: name, state: found.state, text, ply: found.ply ?? null };
}

/**
 * Return the finding on a signature. Only this server's key is known: signatures by other keys prove nothing.
 * @param {Finding} found
 * @returns {Finding}
 */
function foreign(found) {
  const key = found.values?.key;
  if (!key || key === words.key) return found;
  return { state: "not proven", words: "foreign", values: { key } };
}

/**
 * Return the finding. If the finding is proven, but the server's signature (`seal`) is not, return the finding on the
 * signature instead, as "not proven".
 * @param {Finding} found
 * @param {Finding} seal
 * @returns {Finding}
 */
function signed(found, seal) {
  return found.state === "proven" && seal.state !== "proven" ? { ...seal, state: "not proven" } : found;
}

/**
 * Return the verdict on a record, with a finding on each claim.
 * @param {GameRecord} record
 * @param {Kept | null} kept The link that the reader kept, if any.
 * @returns {Promise<Verdict>}
 */
async function judge(record, kept) {
  const seal = foreign(await examineSeal(record));
  /** @type {Finding} */
  const agreed = kept ? await examineKept(record, kept) : { state: "not proven", words: "keptNothing" };
  const { fairness } = record;
  const own = fairness?.seed && !fairness.deal; // not shared with other tables
  const pick = own ? await numbersOf(record, fairness, fairness.seed ?? "") : null;
  const played = await replayByRules(record, words[`rules${capital(record.game)}`], pick);
  const chance = await judgeChance(record, played, seal.state === "proven");
  const recomputed = pick !== null && played.chances >= 0 && !played.wrong;
  const salted = chance.verdict !== "altered" || !chance.text.includes("fairness.");
  const moves = salted
    ? await examineRows(record)
    : /** @type {Finding} */ ({ state: "not proven", words: "salted" });
  const found = { fair: "proven", altered: "contradicted" }[chance.verdict];
  const state = found ?? (recomputed ? "proven" : "not proven");
  const fair = `${say("fair", { chances: played.chances })} ${say("byrules")}`;
  const claims = [
    { claim: "chance", state, text: found || !recomputed ? chance.text : fair, ply: chance.ply ?? null },
    tell("nonces", signed(await examineNonces(record), seal)),
    tell("rules", played.rules),
    tell("moves", signed(moves, seal)),
    tell("result", seal),
    // Only the signature ties the links in the record to its moves: this page can't compute them from the moves.
    tell("kept", signed(agreed, seal)),
  ];
  const wrong = claims.filter((claim) => claim.state === "contradicted");
  const first = wrong.sort((a, b) => (a.ply ?? Infinity) - (b.ply ?? Infinity))[0];
  if (!salted || !first || first.claim === "chance") return { ...chance, claims };
  const where = first.ply === null ? words[`title${first.claim}`] : say("ply", { ply: first.ply ?? 0 });
  const text = say("altered", { place: where, reason: first.text });
  return { verdict: "altered", ply: first.ply ?? null, text, claims };
}

/** @type {Record<string, string>} */
const LOOKS = { proven: "good", contradicted: "bad" };

/** @param {Claim[]} claims */
function listClaims(claims) {
  const list = document.createElement("dl");
  list.className = "claims";
  for (const { claim, state, text } of claims) {
    const title = document.createElement("dt");
    const mark = document.createElement("span");
    mark.className = `badge ${LOOKS[state] ?? "warn"}`;
    mark.textContent = words[`state${state.replace(" ", "")}`] ?? state;
    title.append(words[`title${claim}`] ?? claim, " ", mark);
    const why = document.createElement("dd");
    why.textContent = text;
    title.dataset.claim = claim;
    title.dataset.state = state;
    list.append(title, why);
  }
  return list;
}

/**
 * Return a paragraph with a class.
 * @param {string} looks
 * @param {string} text
 */
function paragraph(looks, text) {
  const note = document.createElement("p");
  note.className = looks;
  note.textContent = text;
  return note;
}

/**
 * Return the element with this browser's own verdict, folded.
 * @param {Verdict} own
 */
function foldOwn({ verdict, text, claims = [] }) {
  const folded = document.createElement("details");
  folded.className = "own-verdict";
  folded.dataset.verdict = verdict;
  const title = document.createElement("summary");
  title.textContent = say("own");
  folded.append(title, paragraph("", text), listClaims(claims));
  return folded;
}

/**
 * Show the server's verdict with this browser's own verdict folded below, or this browser's verdict alone. Bring it into
 * view.
 * @param {Verdict} shown
 * @param {{ own?: Verdict, aside?: string }} [more]
 */
function show({ verdict, ply, text, claims = [] }, { own, aside } = {}) {
  const look = { fair: "good", unproven: "warn" }[verdict] ?? "bad";
  place.dataset.verdict = verdict;
  if (ply === undefined || ply === null) delete place.dataset.ply;
  else place.dataset.ply = String(ply);
  place.replaceChildren(
    paragraph(`notice verdict ${look}`, text),
    ...(aside ? [paragraph("notice", aside)] : []),
    ...(claims.length ? [listClaims(claims)] : []),
    ...(own ? [foldOwn(own)] : []),
  );
  place.firstElementChild?.scrollIntoView({ behavior: still() ? "instant" : "smooth", block: "nearest" });
}

/**
 * Return the server's verdict on a record. The server replays the record by the rules. If the server gives no verdict,
 * return the reason as text.
 * @param {string} record
 * @param {string} kept
 * @returns {Promise<Verdict | string>}
 */
async function askHouse(record, kept) {
  const plain = new Blob([JSON.stringify({ record, kept })]);
  const packs = "CompressionStream" in window;
  try {
    const packed = packs && plain.stream().pipeThrough(new CompressionStream("gzip"));
    const answer = await fetch("/api/v1/verdicts", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(packs && { "Content-Encoding": "gzip" }) },
      body: packed ? await new Response(packed).arrayBuffer() : plain,
    });
    const told = await answer.json();
    if (answer.ok) return { ...told, ply: told.deviation?.ply ?? null };
    if (answer.status === 400 || answer.status === 404) return { verdict: "unread", text: told.message };
    return told.message;
  } catch {
    return say("offline");
  }
}

/**
 * Return this browser's own verdict on the record in a text.
 * @param {string} text
 * @param {Kept | null} kept
 * @returns {Promise<Verdict>}
 */
async function judgeText(text, kept) {
  try {
    return await judge(parseRecord(text), kept);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: "unread", text: say("unread", { reason }) };
  }
}

let last = "";

/**
 * Verify the record in a text. If the reader's words can't be read, say so instead: a verdict would look as if it had
 * compared them.
 * @param {string} text
 */
async function take(text) {
  last = text;
  const given = need("kept", HTMLTextAreaElement).value.trim();
  const kept = given ? await readKept(given) : null;
  if (text !== last) return;
  if (kept && "state" in kept) {
    show({ verdict: "unread", text: say(`say${capital(kept.words)}`, kept.values) });
    return;
  }
  const asked = need("ask", HTMLInputElement).checked ? askHouse(text, given) : null;
  const own = await judgeText(text, kept);
  const house = await asked;
  if (text !== last) return;
  if (house === null) show(own);
  else if (typeof house === "string") show(own, { aside: say("unasked", { reason: house }) });
  else if (own.verdict === "altered" && ["fair", "unproven"].includes(house.verdict)) {
    show(own, { aside: say("disagree", { text: house.text }) });
  } else show(house, own.verdict === "unread" ? {} : { own });
}

/** @param {FileList | null | undefined} files */
async function takeFile(files) {
  if (files?.[0]) await take(await files[0].text());
}

for (const changed of [need("kept", HTMLTextAreaElement), need("ask", HTMLInputElement)]) {
  changed.addEventListener("change", () => last && take(last));
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
    let text = `${capital(say("offline"))}.`;
    try {
      const answer = await fetch(words.record ?? "", { headers: { Accept: "application/json" } });
      if (answer.ok) return take(await answer.text());
      text = (await answer.json()).message;
    } catch {
      // no connection, or an answer that is not the server's own
    }
    last = "";
    show({ verdict: "unread", text });
  });
}
fetchWords(); // the page needs them later, perhaps without the server
