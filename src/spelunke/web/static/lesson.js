// In a lesson, mark the control that plays the expected move, or the piece to pick first.
import { all, closest, find, nameOf } from "./dom.js";
import { move, moves } from "./motion.js";
import { afterPush } from "./pushes.js";

const MARK = "lesson-target";
const NO = "lesson-no";
const RING = 12; // the width of the ring around a control, in pixels
const LONGEST_MS = 1500; // longer animations of the board are no events: something glows

const marked = () => all(`.${MARK}`, HTMLElement);

/** @param {HTMLElement} control */
const usable = (control) =>
  control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  getComputedStyle(control).pointerEvents !== "none";

/**
 * Return the label of the radio button that enables the control. Try the radio buttons, then restore the old choice.
 * @param {HTMLElement} control
 */
function whatToPick(control) {
  const radios = all("#board input[type=radio]", HTMLInputElement);
  const chosen = radios.filter((radio) => radio.checked);
  // The control may still be fading in, as the targets of dice that fall: its radio button is ready before it.
  const found = radios.find((radio) => {
    radio.checked = true;
    return control.checkVisibility({ visibilityProperty: true });
  });
  for (const radio of radios) radio.checked = chosen.includes(radio);
  const label = found?.closest("label");
  return label && usable(label) ? label : null;
}

/**
 * Return the pieces (checkboxes) whose picks differ from the move: those to pick, and those to put back.
 * @param {string} move
 */
function picksToChange(move) {
  const named = move.split(/[\s|]+/);
  /** @type {HTMLInputElement[]} */
  const missing = [];
  /** @type {HTMLInputElement[]} */
  const wrong = [];
  const boxes = all("#board [data-draft] input[type=checkbox]", HTMLInputElement);
  for (const box of boxes.sort((one, other) => Number(other.checked) - Number(one.checked))) {
    const at = named.indexOf(box.value.replace(/\.\d+$/, "")); // equal pieces are numbered
    if (at >= 0) named.splice(at, 1);
    if (at >= 0 && !box.checked) missing.push(box);
    if (at < 0 && box.checked) wrong.push(box);
  }
  return { missing, wrong };
}

/**
 * Return the controls to press next for this move.
 * @param {string} move
 * @returns {HTMLElement[]}
 */
export function targets(move) {
  const buttons = all("#board button[name=move]", HTMLButtonElement);
  const playing = buttons.filter((one) => one.value === move);
  const ready = playing.filter(usable);
  if (ready.length) return ready;
  const label = playing[0] && whatToPick(playing[0]);
  if (label) return [label];
  const { missing, wrong } = picksToChange(move);
  const composing = buttons.find((one) => one.value === "compose" && usable(one));
  if (!missing.length && composing) return [composing];
  return (missing.length ? missing : wrong).flatMap((box) => box.closest("label") ?? []);
}

/** @type {HTMLElement[]} */
let explained = []; // the controls that the sentence below the text names
let revealed = ""; // the step and its control that were scrolled into view last

/** Scroll to the text of a new step, and as far on as its control needs, if one of them is out of view. */
function reveal() {
  const [control] = marked();
  const step = document.querySelector(".lesson-text")?.textContent ?? "";
  if (!control || revealed === `${step} ${nameOfMarked(control)}`) return;
  revealed = `${step} ${nameOfMarked(control)}`;
  const head = all(".table-head", HTMLElement).find((one) => getComputedStyle(one).position === "sticky");
  const covered = head?.getBoundingClientRect().bottom ?? 0; // on a phone, the head may cover the text
  const text = find("lesson", HTMLElement)?.getBoundingClientRect().top ?? 0;
  const back = Math.min(0, text - covered);
  const below = control.getBoundingClientRect().bottom - innerHeight;
  const way = below > back ? below + RING : back;
  if (way) scrollBy(0, way);
}

const textShown = () => document.querySelector(".lesson-text > span");
let said = textShown()?.textContent;

/** Hide a new text until dice and cards on the board have come to rest, or are skipped: it says where they come to rest. */
function wait() {
  const text = textShown();
  if (!text || text.textContent === said) return;
  said = text.textContent;
  if (!moves()) return;
  requestAnimationFrame(() => {
    const board = find("board", HTMLElement);
    const motions = (board?.getAnimations({ subtree: true }) ?? []).filter(
      ({ effect }) => Number(effect?.getComputedTiming().endTime) <= LONGEST_MS,
    );
    if (!motions.length) return;
    const hidden = move(text, [{ opacity: 0 }, { opacity: 0 }], { duration: LONGEST_MS });
    Promise.allSettled(motions.map(({ finished }) => finished)).then(() => hidden.finish());
  });
}

function mark() {
  const move = document.getElementById("lesson")?.dataset.move;
  for (const control of marked()) control.classList.remove(MARK);
  const next = all("#lesson .button.primary", HTMLElement);
  for (const control of move && !next.length ? targets(move) : next) control.classList.add(MARK);
  if (explained.length && !marked().some((one) => explained.includes(one))) explain([]);
  reveal();
}

/** Shake a control once, because a move that the lesson does not expect is not sent. @param {HTMLElement} control */
function shake(control) {
  control.classList.remove(NO);
  void control.offsetWidth; // otherwise the same class would not animate it again
  control.classList.add(NO);
}

/** Return the label of a marked control, or of the piece in it. @param {HTMLElement} control */
function nameOfMarked(control) {
  const piece = control instanceof HTMLLabelElement ? control.control?.getAttribute("aria-label") : "";
  const unseen = control.matches("label") && control.querySelector(".sr")?.textContent;
  const name = (piece || unseen || nameOf(control)).trim();
  const word = name.replace(/:.*/, "").trim(); // the word on a trick card; the rest explains it to screen readers
  return control.innerText.includes(word) ? word : name;
}

/** Say which controls the lesson waits for. If there are none any more, remove the sentence. @param {HTMLElement[]} wanted */
function explain(wanted) {
  explained = wanted;
  const names = [...new Set(wanted.map(nameOfMarked))].join(", ");
  for (const line of all("#lesson .lesson-waits", HTMLElement))
    line.textContent = names && (line.dataset.waits ?? "").replace("{what}", names);
}

// Run before all other listeners: the move must neither be sent nor wait for confirmation.
addEventListener(
  "click",
  (event) => {
    const lesson = document.getElementById("lesson");
    const pressed = closest(event.target, "#board button[name=move]", HTMLButtonElement);
    if (!pressed || !lesson?.matches(".lesson") || pressed.value === "compose") return;
    const wanted = marked();
    if (!wanted.length || wanted.includes(pressed) || pressed.value === lesson.dataset.move) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    shake(pressed);
    for (const box of picksToChange(lesson.dataset.move ?? "").wrong) {
      box.checked = false; // together with the right piece, it would hide the button to press
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
    explain(wanted);
    for (const control of wanted) control.scrollIntoView({ block: "nearest" });
  },
  { capture: true },
);

// After a press on “Next”, the button that ends the lesson may be in its place: ignore the second press of a double click.
addEventListener(
  "click",
  (event) => {
    if (event.detail > 1 && closest(event.target, "#lesson .quiet", HTMLButtonElement))
      event.preventDefault();
  },
  { capture: true },
);

// On wide pages, the rest of the side is below the lesson.
const lesson = find("lesson", HTMLElement);
const page = lesson?.parentElement;
if (lesson && page)
  new ResizeObserver(() => page.style.setProperty("--lesson", `${lesson.offsetHeight}px`)).observe(lesson);

mark();
afterPush(mark);
afterPush(wait);
document.addEventListener("change", mark);
document.addEventListener("spelunke:told", mark); // a running story hides the controls
document.addEventListener("htmx:after:swap", mark);
document.addEventListener("htmx:after:swap", wait);
