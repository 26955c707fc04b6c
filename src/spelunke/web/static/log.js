// Lists that only grow (the log, the chat): append new lines, and keep the end visible (data-pin).
import "./vendor.js";
import { all, closest } from "./dom.js";
import { afterPush } from "./pushes.js";

// Skip lines that the list already has, for example after a lost connection.
htmx.registerExtension("grow", {
  /**
   * @param {string} style
   * @param {Element} target
   * @param {DocumentFragment} fragment
   */
  handle_swap: (style, target, fragment) => {
    if (style !== "grow") return false;
    const fresh = [...fragment.children].filter((line) => !document.getElementById(line.id));
    target.append(...fresh);
    return fresh.length ? fresh : [target];
  },
});

/** @param {HTMLElement} list */
function showEnd(list) {
  list.scrollTop = list.scrollHeight;
}

const lists = () => all("[data-pin]", HTMLElement);

/** @type {WeakMap<HTMLElement, Element | null>} */
const firstOf = new WeakMap();

/**
 * If the first line of a list has changed, make the list invisible for two frames, so that its lines don't seem to
 * jump. At the end of a game, the server sends the whole log again, with the events that were hidden before.
 * @param {HTMLElement} list
 */
function settle(list) {
  const known = firstOf.get(list);
  firstOf.set(list, list.firstElementChild);
  if (!known || known === list.firstElementChild) return;
  list.style.visibility = "hidden";
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      list.style.visibility = "";
    }),
  );
}

for (const list of lists()) {
  showEnd(list);
  firstOf.set(list, list.firstElementChild);
}
afterPush(() => {
  for (const list of lists()) {
    settle(list);
    const count = String(list.children.length);
    if (list.dataset.count !== count) requestAnimationFrame(() => showEnd(list)); // one layout for all parts of a push
    list.dataset.count = count;
  }
});
// After a switch between the short and the whole log, show the end of the list again.
document.addEventListener("change", (event) => {
  const panel = closest(event.target, ".log-more", HTMLElement)?.parentElement;
  if (panel) for (const list of all("[data-pin]", HTMLElement, panel)) showEnd(list);
});
