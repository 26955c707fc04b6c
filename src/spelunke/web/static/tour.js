// A tour of the symbols on the table: point at each visible symbol in turn, and explain it.
import { all, closest, find } from "./dom.js";
import { afterPush } from "./pushes.js";

const LIT = "tour-lit";

/**
 * Return the visible element that a stop of the tour explains, if there is one.
 * @param {HTMLElement} stop
 */
function target(stop) {
  return all(stop.dataset.where ?? "", Element).find((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
  });
}

/**
 * Put the tour at the top or bottom of the window, and the symbol into the middle of the rest. Return whether the tour
 * leaves the symbol visible.
 * @param {HTMLElement} tour
 * @param {Element} symbol
 * @param {boolean} high
 */
function uncover(tour, symbol, high) {
  tour.classList.toggle("high", high);
  const own = tour.getBoundingClientRect();
  const { style } = document.documentElement;
  style.scrollPaddingTop = high ? `${own.bottom}px` : "";
  style.scrollPaddingBottom = high ? "" : `${innerHeight - own.top}px`;
  symbol.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  style.scrollPaddingTop = style.scrollPaddingBottom = "";
  const { top, bottom } = symbol.getBoundingClientRect();
  return high ? top >= own.bottom : bottom <= own.top;
}

/**
 * @param {HTMLElement} start
 * @param {HTMLElement} tour
 */
function guide(start, tour) {
  /** @type {HTMLElement[]} */
  let stops = [];
  let at = 0;
  const forward = tour.querySelector('[data-tour="next"]');
  const label = forward?.textContent ?? "";

  function unlight() {
    for (const one of all(`.${LIT}`, Element)) one.classList.remove(LIT);
  }

  function light() {
    unlight();
    const stop = stops[at];
    const found = !tour.hidden && stop && target(stop);
    if (found) found.classList.add(LIT);
    return found || null;
  }

  /** @param {number} next */
  function go(next) {
    at = next;
    const stop = stops[at];
    if (!stop) return end();
    for (const one of all("li", HTMLElement, tour)) one.hidden = one !== stop;
    const count = find("tour-count", HTMLElement);
    if (count) count.textContent = `${at + 1} / ${stops.length}`;
    const back = tour.querySelector('[data-tour="back"]');
    if (back instanceof HTMLButtonElement) back.disabled = at === 0;
    if (forward instanceof HTMLElement)
      forward.textContent = (at === stops.length - 1 && forward.dataset.last) || label;
    const found = light();
    if (found && !uncover(tour, found, false)) uncover(tour, found, true);
    stop.tabIndex = -1;
    stop.focus({ preventScroll: true });
  }

  function end() {
    tour.hidden = true;
    unlight();
    start.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" }); // to the board: the button is far below
  }

  start.addEventListener("click", (event) => {
    event.preventDefault();
    stops = all("li", HTMLElement, tour).filter(target);
    tour.hidden = false;
    go(0);
  });
  tour.addEventListener("click", (event) => {
    const way = closest(event.target, "[data-tour]", HTMLElement)?.dataset.tour;
    if (way === "end") end();
    else if (way === "next") go(at + 1);
    else if (way === "back") go(at - 1);
  });
  tour.addEventListener("keydown", (event) => {
    event.stopPropagation(); // so that no key plays a move during the tour
    if (event.key === "Escape") end();
    else if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft" && at > 0) go(at - 1);
  });
  afterPush(light);
}

const start = find("tour-start", HTMLElement);
const tour = find("tour", HTMLElement);
if (start && tour) guide(start, tour);
