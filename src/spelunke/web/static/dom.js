// Ways to the elements of a page, each with the kind of element that is expected there.

/**
 * @template {Element} T
 * @typedef {new () => T} Kind
 */

/**
 * The element with this id, or null where the page has none of that kind.
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
 * The element with this id, which every page that uses the calling module has.
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
 * All elements of a kind that match.
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
 * The first element that matches, from what an event happened to upwards.
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
 * What a control does, in words: what it says of itself (data-says, its label), or what stands on it without its key's cap.
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
