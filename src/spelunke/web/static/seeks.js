// While this person seeks opponents, ask the server regularly whether opponents were found. If they were, the page with
// the seeks goes to the table, and any other page shows a link to the table.
import { all, find } from "./dom.js";

const PLAY_MS = 4_000;
const ELSEWHERE_MS = 10_000;
const here = all("[data-seeks]", HTMLElement)[0];
/** @type {string} */
let waited = here?.dataset.seeks ?? "";

/** @param {{ found: string, words: string, to: string }} told */
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

async function ask() {
  if (!/(?:^|; )seeking=1/.test(document.cookie)) return;
  try {
    const answer = await fetch("/seeks/state");
    if (answer.status !== 200) return;
    const told = await answer.json();
    if (told.found) tell(told);
    const waits = `${told.waiting} ${told.bots}`;
    if (here && !told.found && waited && waits !== waited) location.reload();
    waited = waits;
  } catch {
    // no connection: the next call tries again
  }
}

setInterval(ask, here ? PLAY_MS : ELSEWHERE_MS);
