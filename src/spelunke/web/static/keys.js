// Keyboard shortcuts: press the first visible control whose data-key lists the key. All controls work without them.
import { forget, hold, holding } from "./confirm.js";
import { all, closest } from "./dom.js";

const TEXTS = "textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]";

/** @param {HTMLElement} control */
const keysOf = (control) => (control.dataset.key ?? control.accessKey).toLowerCase().split(" ");
/** @param {HTMLElement} control */
const usable = (control) =>
  control.getClientRects().length > 0 &&
  control.checkVisibility({ visibilityProperty: true }) &&
  !control.matches(":disabled");
// An overview that opened because the pointer rested on it does not block the keys.
const glance = CSS.supports("selector(:interest-target)") ? ":not(:interest-target)" : "";
const covered = () => document.querySelector(`dialog[open], [popover]:popover-open${glance}`) !== null;

/**
 * Return whether the key has another meaning for the focused element: text, or a control. Enter has none on a checkbox
 * or a radio button. On the board, Left and Right have none on them either: up and down change a radio button too.
 * @param {Element} at
 * @param {string} key
 */
function meantElsewhere(at, key) {
  if (at.closest(TEXTS)) return true;
  if (key === "enter") return at.closest("a, button, summary") !== null;
  if (key === " ") return at.closest("a, button, summary, label, input") !== null;
  const sideways = key === "arrowleft" || key === "arrowright";
  return key.startsWith("arrow") && at.closest(sideways ? "input:not(#board *)" : "input") !== null;
}

/** @param {KeyboardEvent} event */
function isPlain(event) {
  const modified = event.ctrlKey || event.altKey || event.metaKey;
  return !(modified || event.repeat || event.isComposing || event.defaultPrevented);
}

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const at = event.target;
  if (!isPlain(event) || (at instanceof Element && meantElsewhere(at, key)) || covered()) return;
  if (key === "escape") {
    if (holding()) forget();
    else if (!document.dispatchEvent(new Event("spelunke:unpick", { cancelable: true }))) return;
  }
  if (!document.documentElement.hasAttribute("data-keys")) return;
  const controls = all("[data-key], #board button[accesskey]", HTMLElement);
  const control = controls.find((one) => keysOf(one).includes(key) && usable(one));
  if (!control) return;
  event.preventDefault();
  if ("hold" in control.dataset && control instanceof HTMLButtonElement) hold(control);
  else control.click();
});

// Enter in a field presses its button (data-enter).
document.addEventListener("keydown", (event) => {
  const field = event.key === "Enter" && closest(event.target, "[data-enter]", HTMLElement);
  const button = field && document.getElementById(field.dataset.enter ?? "");
  if (!button) return;
  event.preventDefault();
  button.click();
});
