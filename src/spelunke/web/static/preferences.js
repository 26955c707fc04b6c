// Preferences of this device: stored by the browser, and passed to the style sheets as attributes of <html>.
import { all, closest } from "./dom.js";
import { afterPush } from "./pushes.js";

const root = document.documentElement;

/**
 * Return the value that this device has stored under a name. If it has stored none, return `fallback`. If `brief`, the
 * value is that of this tab.
 * @param {string} name
 * @param {string} fallback
 * @param {boolean} brief
 */
export function read(name, fallback, brief = false) {
  try {
    return (brief ? sessionStorage : localStorage).getItem(`spelunke.${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Store a value under a name on this device. If `brief`, store it until the tab is closed, for this tab alone.
 * @param {string} name
 * @param {string} value
 * @param {boolean} brief
 */
export function keep(name, value, brief = false) {
  try {
    (brief ? sessionStorage : localStorage).setItem(`spelunke.${name}`, value);
  } catch {
    // private windows store nothing
  }
}

/** Return whether the person wants no motion, by the setting of the device or of this site. */
export function still() {
  return root.hasAttribute("data-still");
}

/**
 * Show a stored value in its control, and pass it to the style sheets.
 * @param {HTMLElement} control
 * @param {string} name
 */
function show(control, name) {
  if (control instanceof HTMLInputElement) {
    control.checked = read(name, control.checked ? "on" : "off") === "on";
    root.toggleAttribute(`data-${name}`, control.checked);
  } else if (control instanceof HTMLSelectElement) {
    const kept = read(name, control.value);
    if ([...control.options].some((option) => option.value === kept)) control.value = kept;
    root.setAttribute(`data-${name}`, control.value);
  }
  control.closest("[data-comfort], label[hidden]")?.removeAttribute("hidden");
}

/** Show all preferences. Run this after each update too, because boards contain such controls. */
function apply() {
  for (const control of all("[data-preference]", HTMLElement)) {
    show(control, control.dataset.preference ?? "");
  }
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.toggleAttribute("data-still", root.dataset.speed === "off" || reduced);
}

document.addEventListener("change", (event) => {
  const control = closest(event.target, "[data-preference]", HTMLElement);
  const name = control?.dataset.preference;
  if (!name) return;
  if (control instanceof HTMLInputElement) keep(name, control.checked ? "on" : "off");
  else if (control instanceof HTMLSelectElement) keep(name, control.value);
  apply();
});
apply();
afterPush(apply);
