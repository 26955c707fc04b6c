// The confirm step: a move waits until it is confirmed.
//
// A move waits if the player has chosen this (the preference "confirm"). It also waits if a key pressed a control with
// data-hold, so that a slip on "4" plays no card. Moves with data-now never wait.
import { all, closest, nameOf, need } from "./dom.js";
import { afterPush } from "./pushes.js";

const MOVES = '#act button[name="move"]';

const bar = need("confirm", HTMLElement);
const what = need("confirm-what", HTMLElement);
/** @type {string | null} */
let held = null; // the waiting move
let sure = false;

/** Return the button of the waiting move. */
const waiting = () => all(MOVES, HTMLButtonElement).find((button) => button.value === held);

/** Return whether a move is waiting. */
export function holding() {
  return held !== null;
}

function mark() {
  for (const button of all(MOVES, HTMLButtonElement)) button.classList.toggle("held", button.value === held);
}

/** Cancel the waiting move. */
export function forget() {
  if (held === null) return;
  const button = waiting();
  const back = bar.contains(document.activeElement);
  held = null;
  bar.hidden = true;
  mark();
  if (back) button?.focus({ preventScroll: true });
}

/**
 * Let a move wait until the player confirms it.
 * @param {HTMLButtonElement} button
 */
export function hold(button) {
  held = button.value;
  what.textContent = nameOf(button);
  bar.hidden = false;
  mark();
  const yes = bar.querySelector("[data-confirm=yes]");
  if (yes instanceof HTMLElement) yes.focus({ preventScroll: true });
}

bar.addEventListener("click", (event) => {
  const answer = closest(event.target, "[data-confirm]", HTMLElement)?.dataset.confirm;
  if (answer === "no") forget();
  if (answer !== "yes") return;
  const button = waiting();
  forget();
  if (!button || button.disabled) return;
  sure = true;
  try {
    button.click();
  } finally {
    sure = false;
  }
});
document.addEventListener(
  "click",
  (event) => {
    const wanted = !sure && document.documentElement.hasAttribute("data-confirm");
    const button = wanted && closest(event.target, MOVES, HTMLButtonElement);
    if (!button || "now" in button.dataset) return;
    if (button.value === held) {
      forget(); // a second press confirms
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    hold(button);
  },
  { capture: true },
);
// A message of the server may have removed the move, or replaced its button.
afterPush(() => {
  if (held !== null && !waiting()) forget();
  mark();
});
