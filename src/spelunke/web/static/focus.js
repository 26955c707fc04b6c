// Keep the focus for people who play with the keyboard. When the board changes, move it to the next decision.
//
// A pressed control disappears when the board changes, and browsers then move the focus to the body. Boards mark places
// for the focus with data-rest; Tab leads from there to the controls.
import { all, closest, find } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const PLACES = "#act, #summary, #news, #lesson, #curtain";

let keyed = false; // whether the last input came from keys
let playing = false; // whether the last focus was at a decision

/** @param {HTMLElement} one */
const seen = (one) => one.checkVisibility({ visibilityProperty: true });

/**
 * Return the button of the closed curtain for the person who takes the device. If there is none, return the place around
 * the first control of the person's decision: a move, or a card to choose before a move. If there is no such control,
 * return the board's first place. If the board has no places, return the form `act`.
 */
function place() {
  const hands = all("#curtain > .curtain button", HTMLElement).filter(seen);
  if (hands.length) return hands.find((one) => one.matches(".primary")) ?? hands[0];
  const choices = document.querySelector("#turn[data-mine=true]") ? ", #board input[name=card]:enabled" : "";
  const controls = all(`#board button[name=move]:enabled${choices}`, HTMLElement).filter(seen);
  const around = controls.map((one) => one.closest("[data-rest]")).find((one) => one !== null);
  return around ?? all("#board [data-rest]", HTMLElement).find(seen) ?? document.getElementById("act");
}

function rest() {
  const at = document.activeElement;
  if (!playing || !keyed || (at && at !== document.body && !at.matches("#act, [data-rest]"))) return;
  const heading = document.getElementById("result-title");
  const next = heading && seen(heading) ? heading : place();
  if (next instanceof HTMLElement && next !== at) next.focus({ preventScroll: true });
}

document.addEventListener("focusin", (event) => {
  playing =
    closest(event.target, PLACES, HTMLElement) !== null || (playing && event.target === document.body);
});
document.addEventListener("pointerdown", () => {
  keyed = false;
});
document.addEventListener(
  "keydown",
  () => {
    keyed = true;
  },
  { capture: true },
);
afterPush(() => {
  if (keyed) requestAnimationFrame(rest);
});
document.addEventListener("spelunke:told", rest);

// The page of a shared device is loaded again whenever a hand opens or closes.
if (read("keyed", "") === location.pathname) {
  keyed = playing = true;
  rest();
}
addEventListener("pageshow", () => keep("keyed", ""));
addEventListener("pagehide", () => {
  if (keyed && playing && find("curtain", HTMLElement)) keep("keyed", location.pathname);
});
