// While this person seeks opponents, ask the server regularly whether opponents were found. If they were, the page with
// the seeks goes to the table, and any other page shows a link to the table. The server says it only once, so the page
// that hears it tells the person's other open pages.
import { all, find } from "./dom.js";
import { keep } from "./preferences.js";

const PLAY_MS = 4_000;
const ELSEWHERE_MS = 10_000;
const FOUND = "found";
const here = all("[data-seeks]", HTMLElement)[0];
/** @type {string} */
let waited = here?.dataset.seeks ?? "";

/** @typedef {{ found: string, words: string, to: string }} Found */

/** @param {Found} told */
function tell(told) {
  if (here) {
    location.assign(told.found);
    return;
  }
  const line = document.createElement("p");
  line.className = "notice good row spread seek-found";
  line.setAttribute("role", "status");
  const words = document.createElement("span");
  words.textContent = told.words;
  const way = document.createElement("a");
  way.className = "button primary";
  way.href = told.found;
  way.textContent = told.to;
  line.append(words, way);
  find("main", HTMLElement)?.before(line);
}

// Not by a BroadcastChannel: some browsers don't keep a page with one for the way back.
/** Tell the other open pages. @param {Found} told */
function spread(told) {
  keep(FOUND, JSON.stringify(told));
  keep(FOUND, "");
}

async function ask() {
  if (!/(?:^|; )seeking=1/.test(document.cookie)) return;
  try {
    const answer = await fetch("/seeks/state");
    if (answer.status !== 200) return;
    const told = await answer.json();
    if (told.found) {
      spread(told);
      tell(told);
    }
    const waits = `${told.waiting} ${told.bots}`;
    if (here && !told.found && waited && waits !== waited) location.reload();
    waited = waits;
  } catch {
    // no connection: the next call tries again
  }
}

addEventListener("storage", ({ key, newValue }) => {
  if (key === `spelunke.${FOUND}` && newValue) tell(JSON.parse(newValue));
});
setInterval(ask, here ? PLAY_MS : ELSEWHERE_MS);
