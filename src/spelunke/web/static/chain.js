// Store the newest link (hash) of each table's chain on this device, and check that the server's later links follow
// from it. docs/records.md defines links.
import { digest, parseHex, writeHex } from "./digest.js";
import { find } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const MOST = 60; // tables to remember
const PAUSE_MS = 15_000; // between two checks; the first and the last are immediate

/** @typedef {{ ply: number, link: string, words: string }} Step */
/** @typedef {{ link: string | null, told: string[], chain: Step }} Told */

/** Return all stored steps by table and viewer, the newest last. @returns {Record<string, Step>} */
function readAll() {
  try {
    return JSON.parse(read("links", "{}"));
  } catch {
    return {};
  }
}

/** @param {string} name @param {Step} step */
function keepStep(name, step) {
  const { [name]: _before, ...others } = readAll();
  const newest = [...Object.entries(others), [name, step]].slice(-MOST);
  keep("links", JSON.stringify(Object.fromEntries(newest)));
}

/** @param {HTMLElement} place @returns {Step} */
function shown(place) {
  const { ply, link = "", words = "" } = place.dataset;
  return { ply: Number(ply), link, words };
}

/** @param {HTMLElement} place @param {Step} mine the step that this device stored */
function warn(place, mine) {
  const note = find("another-past", HTMLElement);
  if (!note) return;
  /** @type {Record<string, string | number>} */
  const values = { ply: mine.ply, mine: mine.words };
  const text = place.dataset.warn ?? "";
  note.textContent = text.replace(/\{(\w+)\}/g, (_, gap) => String(values[gap] ?? ""));
  note.hidden = false;
}

/**
 * Fetch the texts of all links of this table after a step. Return null if that fails.
 * @param {HTMLElement} place
 * @param {number} since
 * @returns {Promise<Told | null>}
 */
async function ask(place, since) {
  const address = `/api/v1/tables/${place.dataset.table}/chain?since=${since}`;
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // try again next time
  }
}

/**
 * Return whether the server's texts lead from the link `first` to the server's newest link.
 * @param {string} first
 * @param {Told} told
 */
async function follows(first, told) {
  const encoder = new TextEncoder();
  let link = parseHex(first);
  for (const text of told.told) {
    const row = encoder.encode(text);
    const both = new Uint8Array(link.length + row.length);
    both.set(link);
    both.set(row, link.length);
    link = await digest(both);
  }
  return writeHex(link) === told.chain.link;
}

/**
 * Compare the page's step with the stored step. If no step is stored, store the page's step. If the steps differ, fetch
 * the server's newest step. If this step follows from the stored step, store the newest step, else warn the player.
 */
async function compare() {
  const place = find("chain", HTMLElement);
  // If several people share the device (curtain), the page shows the link of the player to act, but the server sends
  // the links of the device's owner.
  if (!place?.dataset.link || find("curtain", HTMLElement)) return;
  const name = `${place.dataset.table}/${place.dataset.viewer}`;
  const mine = readAll()[name];
  const now = shown(place);
  if (!mine) {
    keepStep(name, now);
    return;
  }
  if (mine.ply === now.ply && mine.link === now.link) return;
  const told = await ask(place, mine.ply);
  if (!told) return;
  if (told.link !== mine.link || !(await follows(mine.link, told))) {
    warn(place, mine);
  } else {
    const { ply, link, words } = told.chain;
    keepStep(name, { ply, link, words });
  }
}

let timer = 0;
let last = Number.NEGATIVE_INFINITY;

function compareSoon() {
  if (timer) return;
  const over = find("chain", HTMLElement)?.dataset.over === "true";
  const wait = over ? 0 : Math.max(0, last + PAUSE_MS - performance.now());
  timer = setTimeout(async () => {
    timer = 0;
    last = performance.now();
    await compare();
  }, wait);
}

compareSoon();
afterPush(compareSoon);
