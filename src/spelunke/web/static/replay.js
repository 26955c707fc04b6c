// Step through a finished game without reloading the page. Links, slider, chart and keys fetch the parts of a position,
// update the page, and change its address. Without scripts, these are links and a form.
import "./vendor.js";
import { still } from "./preferences.js";
import "./bell.js";
import "./morphs.js";
import "./copy-link.js";
import { localize } from "./local-times.js";
import "./slides.js";
import "./story.js";
import "./unfolded.js";
import { all, closest, find, need } from "./dom.js";
import { showOwnWork } from "./own-analysis.js";

const WAIT = 700; // milliseconds between two checks of an analysis

const KEEP = 64; // visited positions and their neighbours
/** @type {Map<string, Promise<string>>} */
const kept = new Map();
let wanted = location.href;
let shown = location.href;

/**
 * Return the parts of a position, fetched from the server once.
 * @param {string} address
 */
function ask(address) {
  const known = kept.get(address);
  if (known) return known;
  const asked = fetch(address, { headers: { "HX-Request": "true" } }).then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  });
  asked.catch(() => kept.delete(address));
  kept.set(address, asked);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEEP) break;
    kept.delete(oldest);
  }
  return asked;
}

/** @param {string} text */
function morph(text) {
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  for (const part of [...fresh.content.children]) {
    const old = document.getElementById(part.id);
    // Keep a value that the reader is changing, but not the text of a focused line (browser/morph.js).
    const ignoreActiveValue = Boolean(document.activeElement?.matches("input, textarea, select"));
    if (old) Idiomorph.morph(old, part, { morphStyle: "outerHTML", ignoreActiveValue });
  }
}

/** Show elements that need scripts, and hide those for pages without. */
function settle() {
  for (const one of all("[data-copy]", HTMLElement)) one.hidden = false;
  for (const one of all("[data-scriptless]", HTMLElement)) one.hidden = true;
  localize();
  showOwnWork();
}

/** Scroll the list to the position's line, without scrolling the page. */
function showLine() {
  const list = need("log", HTMLElement);
  const line = list.querySelector("[aria-current]");
  if (!(line instanceof HTMLElement)) return;
  list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/**
 * Bring the verdict and the board into view, and move the focus there. If they are in view, do nothing.
 * @param {string} id The id of the verdict.
 */
function reveal(id) {
  const verdict = need(id, HTMLElement);
  const board = need("board", HTMLElement).getBoundingClientRect();
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const enough = board.top + Math.min(board.height, innerHeight / 2);
  if (verdict.getBoundingClientRect().top >= covered && enough <= innerHeight) return;
  verdict.scrollIntoView({ behavior: still() ? "instant" : "smooth" });
  verdict.focus({ preventScroll: true });
}

/** @param {string} address */
const plyOf = (address) => Number(new URL(address).searchParams.get("ply") ?? Number.NaN);

/**
 * Show a position, unless the reader requests another position before this one has arrived. If the address has an
 * anchor, bring this part of the page into view.
 * @param {string} address
 */
async function go(address) {
  const asked = new URL(address, location.href);
  const anchor = asked.hash.slice(1);
  asked.hash = "";
  wanted = asked.href;
  if (wanted === shown) {
    if (anchor) reveal(anchor);
    return;
  }
  const mine = wanted;
  try {
    const text = await ask(mine);
    if (mine !== wanted) return;
    // Only a step forward tells the story of the hour that ends with it. Any other jump shows its position at once.
    const forward = find("go-on", HTMLAnchorElement)?.href === mine || plyOf(mine) === plyOf(shown) + 1;
    document.documentElement.toggleAttribute("data-jumps", !forward);
    morph(text);
  } catch {
    location.assign(mine); // the page itself explains the error
    return;
  }
  shown = mine;
  history.replaceState(null, "", mine);
  settle();
  showLine();
  if (anchor) reveal(anchor);
  for (const near of all("#go-back[href], #go-on[href]", HTMLAnchorElement))
    void ask(near.href).catch(() => {});
}

/** @param {number} ply @param {string} anchor The id of the part of the page to bring into view, or "". */
function goTo(ply, anchor = "") {
  const address = new URL(location.href);
  address.hash = anchor;
  address.searchParams.delete("verify");
  address.searchParams.set("ply", String(ply));
  void go(address.href);
}

const slider = () => need("replay-slider", HTMLInputElement);

document.addEventListener("input", (event) => {
  if (event.target === find("replay-slider", HTMLInputElement)) goTo(slider().valueAsNumber);
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = closest(event.target, "#replay a[href^='?']", Element);
  if (!link) return;
  const address = link.getAttribute("href") ?? "";
  if (address.includes("verify=")) return;
  event.preventDefault();
  const chart = closest(event.target, "svg.chart", SVGSVGElement);
  // On phones the chart and the log are far from the board.
  const anchor = chart || link.closest("#log") ? "replay-verdict" : "";
  if (!chart || link.hasAttribute("data-at")) {
    void go(anchor && !address.includes("#") ? `${address}#${anchor}` : address);
    return;
  }
  const box = chart.getBoundingClientRect();
  const { from, to, plies } = chart.dataset;
  const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
  const part = (x - Number(from)) / (Number(to) - Number(from));
  goTo(Math.round(Math.min(1, Math.max(0, part)) * Number(plies)), anchor);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const typing = closest(event.target, "input:not([type=checkbox]), select, textarea, [data-story]", Element);
  if (typing) return;
  const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.shiftKey && arrow) {
    const ply = Math.min(Number(slider().max), Math.max(0, slider().valueAsNumber + arrow));
    goTo(ply);
  } else {
    const link = document.querySelector(`#replay a[data-replay-key="${CSS.escape(event.key)}"]`);
    if (!link) return;
    void go(link.getAttribute("href") ?? "");
  }
  event.preventDefault();
});

/** Show the progress of a running analysis, and reload the page when it is done. */
async function follow() {
  if (!document.querySelector("#replay-verdict[data-working]")) return;
  kept.clear();
  const here = shown;
  try {
    const text = await ask(here);
    if (here === shown) morph(text);
  } catch {
    // try again
  }
  if (!document.querySelector("#replay-verdict[data-working]")) location.reload();
  else setTimeout(follow, WAIT);
}

settle();
setTimeout(follow, WAIT);
addEventListener("pageshow", showLine);
showLine();
