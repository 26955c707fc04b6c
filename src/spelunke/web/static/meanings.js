// In a person's first games, explain choices beside them, on hover, on focus by keys, and to screen readers.
import { all, closest, find } from "./dom.js";
import { afterPush } from "./pushes.js";

const CONTROLS = "#board button[name=move]";
const SOON_MS = 700; // delay, so that passing over a control or pressing it at once shows nothing
const GAP = 8;
const RESTS_PX = 8; // a hand that presses moves the mouse as far

const tip = find("meaning-tip", HTMLElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** @type {HTMLButtonElement | null} */
let pointed = null;
let tabbed = false; // whether Tab moved the focus; if a script did, show nothing

/** Return the elements that explain moves, by move text. */
function meanings() {
  /** @type {Map<string, HTMLElement>} */
  const found = new Map();
  for (const told of all("#meanings [data-moves]", HTMLElement)) {
    for (const move of (told.dataset.moves ?? "").split("\n")) found.set(move, told);
  }
  return found;
}

/** Let screen readers explain each control after its name. */
function describe() {
  hide();
  const told = meanings();
  if (!told.size) return;
  for (const control of all(CONTROLS, HTMLButtonElement)) {
    const meaning = told.get(control.value);
    const ids = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
    if (!meaning || ids.includes(meaning.id)) continue;
    control.setAttribute("aria-describedby", [...ids, meaning.id].join(" "));
  }
}

function hide() {
  clearTimeout(waiting);
  if (tip) tip.hidden = true;
}

/** @param {HTMLButtonElement} control */
function show(control) {
  const meaning = meanings().get(control.value);
  if (!tip || !meaning || !control.isConnected) return;
  tip.textContent = meaning.textContent;
  tip.hidden = false;
  const { left, top, bottom } = control.getBoundingClientRect();
  const high = tip.offsetHeight + GAP;
  const below = bottom + GAP + high < innerHeight;
  tip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - tip.offsetWidth - GAP))}px`;
  tip.style.top = `${below ? bottom + GAP : Math.max(GAP, top - high)}px`;
}

// Not "pointerover": a control that moves under a resting pointer must not show anything.
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse") return;
  const control = closest(event.target, CONTROLS, HTMLButtonElement);
  if (control === pointed) return;
  pointed = control;
  hide();
  if (control) waiting = setTimeout(() => show(control), SOON_MS);
});
document.addEventListener("focusin", (event) => {
  const control = closest(event.target, CONTROLS, HTMLButtonElement);
  if (control && tabbed) show(control);
  else hide();
});
document.addEventListener("focusout", hide);
document.addEventListener("pointerdown", () => {
  tabbed = false;
  hide();
});
document.addEventListener("scroll", hide, { capture: true, passive: true });
document.addEventListener(
  "keydown",
  (event) => {
    tabbed = event.key === "Tab";
    if (event.key === "Escape") hide();
  },
  { capture: true },
);

/** @type {PointerEvent | null} */
let pressed = null; // the last press of a mouse that has since rested
document.addEventListener("pointerdown", (event) => {
  pressed = event.pointerType === "mouse" ? event : null;
});
document.addEventListener("pointermove", (event) => {
  if (pressed && Math.hypot(event.x - pressed.x, event.y - pressed.y) > RESTS_PX) pressed = null;
});
document.addEventListener("keydown", () => {
  pressed = null;
});
// A press on a card lays a die, and leaves the pointer on the card: its note would open over the row.
document.addEventListener("interest", (event) => pressed && event.preventDefault(), { capture: true });
describe();
afterPush(describe);
document.addEventListener("htmx:after:swap", describe);
