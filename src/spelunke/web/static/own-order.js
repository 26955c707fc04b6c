// Lists (data-sortable) whose items (data-card) the player sorts by dragging, or with Alt and the arrow keys.
//
// This personal order applies while a control with data-sort="own" is chosen. It is stored on this device, and new
// items come last. The order is shown by CSS, so that updates of the board don't conflict with it. During a drag, the
// elements themselves are moved, because SortableJS needs this, and updates wait. SortableJS is fetched on first use.
import "./vendor.js";
import { all, closest } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { keep, read, still } from "./preferences.js";
import { holdPushes, releasePushes } from "./pushes.js";

const FAR = 8; // pixels that a press may move

const sorting = () => globalThis.Sortable;
let fetched = false;

/** Fetch SortableJS once, then make the lists sortable. */
function fetchSorting() {
  if (fetched) return;
  fetched = true;
  const script = document.createElement("script");
  script.src = document.querySelector('meta[name="sorting"]')?.getAttribute("content") ?? "";
  script.addEventListener("load", arrange);
  script.addEventListener("error", () => {
    script.remove();
    fetched = false;
  });
  document.head.append(script);
}

/** @param {HTMLElement} list */
const nameOf = (list) => list.dataset.sortable ?? "";
/** @param {HTMLElement} item */
const cardOf = (item) => item.dataset.card ?? "";
/** @param {HTMLElement} list */
const childrenOf = (list) => all(":scope > [data-card]", HTMLElement, list);
/** @param {HTMLElement} list */
const itemsOf = (list) => childrenOf(list).filter((item) => item !== sorting()?.ghost);
/** @param {HTMLElement} list */
const orderOf = (list) => read(nameOf(list), "").split(" ").filter(Boolean);
/** @param {HTMLElement} list @param {HTMLElement[]} items */
const keepOrder = (list, items) => keep(nameOf(list), items.map(cardOf).join(" "));

/**
 * Return the items in their visible order.
 * @param {HTMLElement} list
 */
function seen(list) {
  const order = (/** @type {HTMLElement} */ item) => Number(getComputedStyle(item).order);
  return itemsOf(list).sort((a, b) => order(a) - order(b));
}

/**
 * Return the control of a sort order of the list.
 * @param {HTMLElement} list
 * @param {string} which
 */
function wayOf(list, which) {
  const found = list.closest("section")?.querySelector(`[data-sort${which}`);
  return found instanceof HTMLInputElement ? found : null;
}

/**
 * Put the elements into their visible order. The dragged element stays, and the others move around it.
 * @param {HTMLElement} list
 * @param {HTMLElement} dragged
 */
function lieAsSeen(list, dragged) {
  const items = seen(list);
  const place = items.indexOf(dragged);
  for (const [at, item] of items.entries()) {
    if (at < place) list.insertBefore(item, dragged);
    else if (at > place) list.append(item);
    item.style.order = "0";
  }
}

/**
 * Return the SortableJS object of a list. Make it if there is none.
 * @param {NonNullable<typeof globalThis.Sortable>} given
 * @param {HTMLElement} list
 */
function sortable(given, list) {
  return (
    given.get(list) ??
    given.create(list, {
      draggable: "[data-card]",
      forceFallback: true, // the browser's own dragging doesn't support touch
      fallbackTolerance: FAR,
      ghostClass: "lifted",
      onStart: ({ item }) => {
        holdPushes();
        lieAsSeen(list, item);
      },
      onEnd: (event) => {
        const { originalEvent } = /** @type {{ originalEvent?: Event }} */ (event);
        if (originalEvent?.type !== "pointercancel") keepOrder(list, itemsOf(list));
        arrange();
        releasePushes();
      },
    })
  );
}

/** Enable or disable dragging in a list. @param {HTMLElement} list @param {boolean} own */
function allowDrag(list, own) {
  const given = sorting();
  if (own && !given) fetchSorting();
  const drag = given && (own ? sortable(given, list) : given.get(list));
  drag?.option("disabled", !own);
  drag?.option("animation", still() ? 0 : 150);
}

/** Show each list in the chosen order. */
function arrange() {
  if (sorting()?.active) return;
  for (const list of all("[data-sortable]", HTMLElement)) {
    const way = read(`${nameOf(list)}.way`, "");
    const radio = way && !list.dataset.met ? wayOf(list, `="${way}"]`) : null;
    if (radio) radio.checked = true;
    list.dataset.met = "yes";
    const own = wayOf(list, "]:checked")?.dataset.sort === "own";
    list.toggleAttribute("data-own", own);
    const known = orderOf(list);
    for (const item of itemsOf(list)) {
      const place = known.indexOf(cardOf(item));
      item.style.order = own ? String(place < 0 ? known.length : place) : "";
    }
    allowDrag(list, own);
  }
}

document.addEventListener("change", (event) => {
  const radio = closest(event.target, "[data-sort]", HTMLInputElement);
  const list = radio?.closest("section")?.querySelector("[data-sortable]");
  if (!radio || !(list instanceof HTMLElement)) return;
  const way = radio.dataset.sort ?? "";
  keep(`${nameOf(list)}.way`, way);
  // A new personal order begins with the visible order.
  if (way === "own" && orderOf(list).length === 0) keepOrder(list, seen(list));
  arrange();
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const item = event.altKey && step ? closest(event.target, "[data-own] > [data-card]", HTMLElement) : null;
  const list = item?.parentElement;
  if (!step || !item || !list || sorting()?.active) return;
  event.preventDefault();
  const items = seen(list);
  const place = Math.max(0, items.indexOf(item) + step);
  items.splice(items.indexOf(item), 1);
  items.splice(place, 0, item);
  keepOrder(list, items);
  arrange();
  item.querySelector("input")?.focus();
});

arrange();
aroundMorph(() => arrange);
