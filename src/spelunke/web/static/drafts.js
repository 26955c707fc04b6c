// Preview the board's form while the player fills it in: send the checkboxes and texts within [data-draft] to the
// server, and show the preview that the server returns. The server stores nothing.
import "./vendor.js";
import { live, whenLive } from "./connection.js";
import { all, closest, need } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const PICK_MS = 60;
const WRITE_MS = 350;

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

const form = need("act", HTMLFormElement);
const address = form.action.replace(/\/act$/, "/draft");

/** @param {EventTarget | null} target @returns {target is Field} */
function isField(target) {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return target.form === form && target.matches("[data-draft]");
  }
  if (!(target instanceof HTMLInputElement)) return false;
  return target.form === form && target.matches("[data-draft] input[name]");
}
/** @param {Field} field @returns {field is HTMLInputElement} */
const isBox = (field) => field instanceof HTMLInputElement && field.type === "checkbox";
const fields = () =>
  all("[data-draft] input[name], :is(textarea, select)[data-draft]", HTMLElement, form).filter(isField);

// ---- requests: one at a time, and another one if something has changed during a request ----
let timer = 0;
let asking = false;
let again = false;
let word = "live"; // the kind of request: "again" also redraws the checkboxes that the player has set aside

async function ask() {
  const source = form.querySelector("[data-draft]");
  if (!source || !live()) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const values = { draft: word };
    word = "live";
    await htmx.ajax("POST", address, { source, swap: "none", values });
  } finally {
    asking = false;
    if (again) {
      again = false;
      ask();
    }
  }
}

/** @param {number} ms */
function askSoon(ms) {
  clearTimeout(timer);
  timer = setTimeout(ask, ms);
}

// ---- keep picks and texts when the server updates the board, because the server does not know them ----
/** @type {Set<string>} */
const picked = new Set();
/** @type {Map<string, string>} */
const written = new Map();
let boxes = 0;
let round = roundOf();

/** Return the round to which the picks belong: the value of data-draft of the list with the checkboxes. */
function roundOf() {
  return form.querySelector("[data-draft]:has(input[type=checkbox])")?.getAttribute("data-draft") ?? "";
}

/** @param {Field} field */
const nameOf = (field) => (field.type === "hidden" ? field.id : field.name);

// Melds that are set aside stay in this tab, for each seat and each deal: a closed curtain loads the page again.
/** @param {Field} field */
const listOf = (field) => closest(field, "[data-sortable]", HTMLElement)?.dataset ?? {};
/** @param {Field} field */
const placeOf = (field) => `${field.name} ${listOf(field).sortable} ${listOf(field).draft}`;

/** Take over the melds that this seat has set aside before the page was loaded. */
function recall() {
  for (const field of fields()) {
    const text = field.type === "hidden" && !field.value && read(placeOf(field), "", true);
    if (text) written.set(nameOf(field), text);
  }
}

/** @param {Field} field */
function note(field) {
  if (field.type === "hidden") keep(placeOf(field), field.value, true);
  if (!isBox(field)) written.set(nameOf(field), field.value);
  else if (field.checked) picked.add(field.value);
  else picked.delete(field.value);
}

/**
 * Restore a field's pick or text. Return whether the field changed.
 * @param {Field} field
 */
function restore(field) {
  if (isBox(field)) {
    if (field.disabled) field.checked = false; // the player has set it aside, but a morph keeps the old pick
    if (field.disabled || field.checked || !picked.has(field.value)) return false;
    field.checked = true;
    return true;
  }
  if (field.dataset.told !== undefined) {
    // The server's answer names the cards that are set aside now. They are no longer picked.
    delete field.dataset.told;
    note(field);
    for (const value of field.value.split(/[ |]+/)) picked.delete(value);
    return false;
  }
  const text = written.get(nameOf(field));
  if (text === undefined || field.value === text) return false;
  field.value = text;
  if (field.type === "hidden") word = "again";
  return true;
}

/** Forget the picks of an earlier round: the new hand may have the same cards. */
function forgetPicks() {
  picked.clear();
  for (const field of fields()) if (isBox(field)) field.checked = field.defaultChecked;
}

function restoreAll() {
  const now = all("[data-draft] input[type=checkbox]", HTMLInputElement, form).length;
  if (now < boxes) forgetPicks(); // a move has removed the picked cards, and an equal card may have the checkbox of one
  boxes = now;
  const newest = roundOf();
  if (newest && round && newest !== round) forgetPicks();
  round = newest || round;
  const here = fields().map((field) => (isBox(field) ? field.value : ""));
  const changed = fields().map(restore).includes(true);
  for (const value of picked) if (!here.includes(value)) picked.delete(value);
  if (changed) askSoon(0);
}

/** Mark lists with several picks, for the style sheets. */
function count() {
  for (const list of all("[data-draft]", Element, form)) {
    list.toggleAttribute("data-several", list.querySelectorAll("input:checked").length > 1);
  }
}

/** Mark the fields whose errors are shown. */
function markWrong() {
  for (const field of all("[data-draft][aria-describedby]", HTMLElement, form)) {
    const wrong = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    if (wrong?.querySelector("[data-refusal]")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

function update() {
  restoreAll();
  count();
  markWrong();
}

document.addEventListener("change", (event) => {
  if (!isField(event.target)) return;
  note(event.target);
  count();
  askSoon(PICK_MS);
});
document.addEventListener("input", (event) => {
  if (!(event.target instanceof HTMLTextAreaElement) || !isField(event.target)) return;
  note(event.target);
  askSoon(WRITE_MS);
});
// Esc takes the picks back (keys.js).
document.addEventListener("spelunke:unpick", () => {
  if (picked.size === 0) return;
  picked.clear();
  for (const field of fields()) if (isBox(field)) field.checked = false;
  count();
  askSoon(0);
});
// Fields that the server has stored are no longer a draft. What it refused stays.
/** @type {[string, string][]} */
let sent = [];
form.addEventListener("submit", (event) => {
  if (event.submitter?.getAttribute("name") === "standing") sent = [...written];
});
document.addEventListener("htmx:after:request", (event) => {
  const { request, response, sourceElement } = event.detail.ctx;
  if (sourceElement !== form || request.submitter?.getAttribute("name") !== "standing") return;
  if (response && response.status < 300)
    for (const [name, text] of sent) if (written.get(name) === text) written.delete(name);
});
afterPush(update);
document.addEventListener("htmx:after:swap", update);
recall();
update();
whenLive(() => {
  if (word === "again") askSoon(0);
});
