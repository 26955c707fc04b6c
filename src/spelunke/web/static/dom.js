// Typed access to the elements of a page.

/**
 * @template {Element} T
 * @typedef {new () => T} Kind
 */

/**
 * Return the element with this id, or null if the page has none of that kind.
 * @template {Element} T
 * @param {string} id
 * @param {Kind<T>} kind
 * @returns {T | null}
 */
export function find(id, kind) {
  const one = document.getElementById(id);
  return one instanceof kind ? one : null;
}

/**
 * Return the element with this id. Throw an error if the page has none of that kind.
 * @template {Element} T
 * @param {string} id
 * @param {Kind<T>} kind
 * @returns {T}
 */
export function need(id, kind) {
  const one = find(id, kind);
  if (!one) throw new Error(`this page lacks #${id}`);
  return one;
}

/**
 * Return all matching elements of a kind.
 * @template {Element} T
 * @param {string} selector
 * @param {Kind<T>} kind
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export function all(selector, kind, root = document) {
  return /** @type {T[]} */ ([...root.querySelectorAll(selector)].filter((one) => one instanceof kind));
}

/**
 * Return the closest matching element, from an event's target upwards.
 * @template {Element} T
 * @param {unknown} target
 * @param {string} selector
 * @param {Kind<T>} kind
 * @returns {T | null}
 */
export function closest(target, selector, kind) {
  const one = target instanceof Element ? target.closest(selector) : null;
  return one instanceof kind ? one : null;
}

/**
 * Return the label of a control: data-says, else its aria-label, else its text without the name of a key.
 * @param {Element} control
 */
export function nameOf(control) {
  const own = control.getAttribute("data-says") || control.getAttribute("aria-label");
  const texts = control instanceof HTMLFormElement ? [] : [...control.querySelectorAll("*"), control];
  const words = texts
    .filter((one) => !one.closest("kbd, .sr"))
    .flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE));
  const shown = words.map((node) => node.textContent ?? "").join(" ");
  return (own || shown).replace(/\s+/g, " ").trim();
}

/** Return the seat that decides on this board (`act_key`), or "" if the page has nothing to decide. @param {Element | null} board */
export function deciderOf(board) {
  const key = board?.querySelector("input[name=key]");
  return key instanceof HTMLInputElement ? (/^(?:open|page)-(\d+)-/.exec(key.value)?.[1] ?? "") : "";
}

/**
 * Send a form without an entry in the history, and return the answer. A redirect is not followed.
 * @param {HTMLFormElement} form @param {HTMLElement | null} submitter
 */
export function send(form, submitter) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value));
  return fetch(form.action, { method: "POST", body, redirect: "manual" });
}
