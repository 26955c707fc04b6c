// Lists that only grow (the log, the chat): append new lines, and keep the end visible (data-pin).
import "./vendor.js";
import { all, closest, find } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

// Skip lines that the list already has, for example after a lost connection.
htmx.registerExtension("grow", {
  /**
   * @param {string} style
   * @param {Element} target
   * @param {DocumentFragment} fragment
   */
  handle_swap: (style, target, fragment) => {
    if (style !== "grow") return false;
    const fresh = [...fragment.children].filter((line) => !document.getElementById(line.id));
    target.append(...fresh);
    return fresh.length ? fresh : [target];
  },
});

/** @param {HTMLElement} list */
function showEnd(list) {
  list.scrollTop = list.scrollHeight;
}

const lists = () => all("[data-pin]", HTMLElement);

/** @type {WeakMap<HTMLElement, Element | null>} */
const firstOf = new WeakMap();

/**
 * If the first line of a list has changed, make the list invisible for two frames, so that its lines don't seem to
 * jump. At the end of a game, the server sends the whole log again, with the events that were hidden before.
 * @param {HTMLElement} list
 */
function settle(list) {
  const known = firstOf.get(list);
  firstOf.set(list, list.firstElementChild);
  if (!known || known === list.firstElementChild) return;
  list.style.visibility = "hidden";
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      list.style.visibility = "";
    }),
  );
}

// Other panels beside the board leave a list more or less height.
const resizes = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) showEnd(target);
});
for (const list of lists()) {
  resizes.observe(list);
  firstOf.set(list, list.firstElementChild);
}
afterPush(() => {
  for (const list of lists()) {
    settle(list);
    const count = String(list.children.length);
    if (list.dataset.count !== count) requestAnimationFrame(() => showEnd(list)); // one layout for all parts of a push
    list.dataset.count = count;
  }
});
// A story (story.js) shows recent events one by one. Until its end, hide the lines that came with it or later, because
// they tell the result. If another story begins before, as when bots play on alone, show the lines of the first one.
// Screen readers get all lines at once, from #said.
const log = find("log", HTMLElement);
const telling = () => document.documentElement.hasAttribute("data-telling");
/** @param {Element | null | undefined} line */
const plyOf = (line) => Number(line?.id.split("-")[1] ?? 0);
const newest = () => plyOf(log?.lastElementChild);

/**
 * Return the newest ply in the log that people at a shared device have read, or null. It is stored, because their page
 * reloads when a hand closes. A page with an open hand counts plies in its own way.
 */
function readStored() {
  const [page, ply] = read("log", "").split(" ");
  return find("curtain", HTMLElement) && page === location.pathname ? Number(ply) : null;
}

let known = readStored() ?? newest();
let arrived = newest(); // the newest line before the present push
let grows = false; // whether the story has begun or grown with the present push

function hold() {
  for (const line of log?.children ?? []) if (plyOf(line) > known) line.classList.add("untold");
}

/** Remember that all lines were shown. */
function note() {
  known = newest();
  if (document.querySelector("#curtain > :not(:has(.curtain-close))"))
    keep("log", `${location.pathname} ${known}`);
}

document.addEventListener("spelunke:telling", (event) => {
  grows = true;
  if (event instanceof CustomEvent && event.detail.fresh && telling()) {
    known = Math.max(known, arrived);
    for (const line of all(".untold", HTMLElement)) if (plyOf(line) <= known) line.classList.remove("untold");
  }
  hold(); // also without a push, if the page begins with a story
});
document.addEventListener("spelunke:told", () => {
  for (const line of all(".untold", HTMLElement)) line.classList.remove("untold");
  for (const list of lists()) showEnd(list);
  note();
});
// before a frame can show the new lines
if (log) new MutationObserver(() => (grows || telling()) && hold()).observe(log, { childList: true });
afterPush(() => {
  if (grows || telling()) hold();
  grows = false;
  arrived = newest();
  if (!telling()) note();
});
addEventListener("load", () => telling() || note());

// After a switch between the short and the whole log, show the end of the list again.
document.addEventListener("change", (event) => {
  const panel = closest(event.target, ".log-more", HTMLElement)?.parentElement;
  if (panel) for (const list of all("[data-pin]", HTMLElement, panel)) showEnd(list);
});
