// Lists (data-sortable) whose items (data-card) the player sorts by dragging, or with Alt and the arrow keys. The arrow
// keys, Home and End move the focus through the items as they are seen.
//
// This personal order applies while a control with data-sort="own" is chosen. A mouse can drag in any order: then the
// personal order begins. A finger drags only in the personal order, and otherwise scrolls the page. If an item is
// dropped on an element with data-takes, it keeps its place in the list, and its move is played there. If the move is
// not possible, it is sent all the same: the server's answer says why it is refused.
//
// The order is stored on this device until the next deal (data-draft), and new items come last. The chosen control is
// stored for all lists of the game (data-ways). On a shared device, both are stored for each seat, until the tab is
// closed. The order is shown by CSS, so that updates of the board don't conflict with it. During a drag, the elements
// themselves are moved, because SortableJS needs this, and updates wait. SortableJS is fetched on first use.
import "./vendor.js";
import { refuse } from "./connection.js";
import { all, closest, find, need } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { keep, read, still } from "./preferences.js";
import { caughtUp, holdPushes, releasePushes } from "./pushes.js";

const FAR = 8; // pixels that a press may move

const sorting = () => globalThis.Sortable;
let fetched = false;
let mouse = false;
/** @type {Element[]} */
let resting = []; // the elements of the list before the drag
let before = ""; // the visible order before the drag

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
const shared = () => find("curtain", HTMLElement) !== null;
/** @param {HTMLElement} list */
const waysOf = (list) => `${list.dataset.ways}${shared() ? ` ${nameOf(list)}` : ""}`;
/** @param {HTMLElement} list */
const dealOf = (list) => list.dataset.draft ?? "";

/** @param {HTMLElement} list @param {string} way */
const keepWay = (list, way) => keep(waysOf(list), way, shared());
/** @param {HTMLElement} list @param {HTMLElement[]} items */
const keepOrder = (list, items) =>
  keep(nameOf(list), [dealOf(list), ...items.map(cardOf)].join(" "), shared());

/** Return the stored order of this deal, or an empty list. @param {HTMLElement} list */
function orderOf(list) {
  const [deal, ...cards] = read(nameOf(list), "", shared()).split(" ");
  return deal === dealOf(list) ? cards : [];
}

/**
 * Return the items in their visible order.
 * @param {HTMLElement} list
 */
function seen(list) {
  const order = (/** @type {HTMLElement} */ item) => Number(getComputedStyle(item).order);
  return itemsOf(list).sort((a, b) => order(a) - order(b));
}

/** Return the fields of the items that can have the focus, in their visible order. @param {HTMLElement} list */
const fieldsOf = (list) => seen(list).flatMap((item) => all("input:enabled", HTMLInputElement, item));

/**
 * In a browser in which Tab follows the order of the elements, let it stop once at the list: at the focused field, or else
 * at the first field that is seen.
 * @param {HTMLElement} list
 */
function stopOnce(list) {
  if (CSS.supports("reading-flow", "flex-visual")) return;
  const fields = fieldsOf(list);
  const stop = fields.find((field) => field === document.activeElement) ?? fields[0];
  for (const field of fields) field.tabIndex = field === stop ? 0 : -1;
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
    item.style.setProperty("--at", "0");
  }
}

/**
 * Return the moves that an element plays with an item, from its templates: "add * to 3|swap * into 3".
 * @param {HTMLElement} taker
 * @param {HTMLElement} item
 */
function movesOf(taker, item) {
  const card = cardOf(item).split(".")[0] ?? "";
  return (taker.dataset.takes ?? "").split("|").map((move) => move.replace("*", () => card));
}

/**
 * Return the buttons of a possible move, from the first of these moves that is possible. A run that takes a card at both
 * ends has two buttons, for "add * to 3 low" and "add * to 3 high".
 * @param {string[]} moves
 */
function buttonsOf(moves) {
  const given = all('#board button[name="move"]', HTMLButtonElement);
  const found = moves.map((move) =>
    given.filter(({ value }) => value === move || value.startsWith(`${move} `)),
  );
  const first = found.find((buttons) => buttons.length > 0) ?? [];
  return [...new Map(first.map((button) => [button.value, button])).values()];
}

/** During a drag, mark the elements that can take the item. @param {HTMLElement} [item] */
function markTakers(item) {
  for (const taker of all("[data-takes]", HTMLElement)) {
    taker.toggleAttribute("data-ready", Boolean(item && buttonsOf(movesOf(taker, item)).length));
  }
}

/**
 * Play the move of a dropped item, on the board after the delayed pushes.
 * @param {string[]} moves
 * @param {number} side where in the element it was dropped: from 0 (left) to 1 (right)
 * @param {string} name
 */
async function play(moves, side, name) {
  await caughtUp();
  const buttons = buttonsOf(moves);
  const button = buttons[Math.min(buttons.length - 1, Math.floor(side * buttons.length))];
  if (button) button.click();
  else attempt(moves[0] ?? "", name);
}

/**
 * Send a move that the board does not offer, so that the server says why it is refused.
 * @param {string} move
 * @param {string} name
 */
function attempt(move, name) {
  const button = document.createElement("button");
  Object.assign(button, { name: "move", value: move, hidden: true, ariaLabel: name });
  button.dataset.now = ""; // there is nothing to confirm
  need("board", HTMLElement).append(button);
  button.click();
  button.remove();
}

/**
 * Store the dragged order, if it is another order than before.
 * @param {HTMLElement} list
 */
function sorted(list) {
  const items = itemsOf(list);
  if (items.map(cardOf).join(" ") === before) return;
  keepOrder(list, items);
  const own = wayOf(list, '="own"]');
  if (!own || own.checked) return;
  own.checked = true;
  keepWay(list, "own");
}

/**
 * End a drag: sort the item, or play its move. If it was dropped elsewhere, say so.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 * @param {Event | undefined} end
 */
function drop(list, item, end) {
  const point = end instanceof MouseEvent && end.type !== "pointercancel" ? end : null;
  const under = point && document.elementFromPoint(point.clientX, point.clientY);
  const taker = closest(under, "[data-takes]", HTMLElement);
  const home = list.closest("section")?.contains(under);
  if (home) sorted(list);
  markTakers();
  const moves = taker && movesOf(taker, item);
  const box = taker?.getBoundingClientRect();
  const name = item.querySelector(".sr")?.textContent ?? "";
  // SortableJS ends the drag after this call.
  queueMicrotask(() => {
    list.append(...resting);
    arrange();
    releasePushes();
  });
  setTimeout(() => {
    document.dispatchEvent(new Event("click")); // SortableJS ignores the next click, if the browser has not sent one yet
    if (moves && box && point) play(moves, (point.clientX - box.left) / box.width, name);
    else if (point && !home) refuse(list.dataset.amiss ?? "");
  });
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
        resting = [...list.children].filter((one) => one !== sorting()?.ghost);
        before = seen(list).map(cardOf).join(" ");
        lieAsSeen(list, item);
        markTakers(item);
      },
      onEnd: (event) => {
        const { originalEvent } = /** @type {{ originalEvent?: Event }} */ (event);
        drop(list, event.item, originalEvent);
      },
    })
  );
}

/** Enable or disable dragging in a list. @param {HTMLElement} list @param {boolean} free */
function allowDrag(list, free) {
  const given = sorting();
  if (free && !given) fetchSorting();
  const drag = given && (free ? sortable(given, list) : given.get(list));
  drag?.option("disabled", !free);
  drag?.option("animation", still() ? 0 : 150);
}

/** Show each list in the chosen order. */
function arrange() {
  if (sorting()?.active) return;
  for (const list of all("[data-sortable]", HTMLElement)) {
    const way = read(waysOf(list), "", shared());
    const radio = way && !list.dataset.met ? wayOf(list, `="${way}"]`) : null;
    if (radio) radio.checked = true;
    list.dataset.met = "yes";
    const own = wayOf(list, "]:checked")?.dataset.sort === "own";
    list.toggleAttribute("data-own", own);
    const known = own ? orderOf(list) : [];
    for (const item of itemsOf(list)) {
      const place = known.indexOf(cardOf(item));
      // The sheet turns --at into the place of the card and its height above the others.
      item.style.setProperty("--at", known.length ? String(place < 0 ? known.length : place) : "");
    }
    stopOnce(list);
    allowDrag(list, own || mouse);
  }
}

document.addEventListener("change", (event) => {
  const radio = closest(event.target, "[data-sort]", HTMLInputElement);
  const list = radio?.closest("section")?.querySelector("[data-sortable]");
  if (!radio || !(list instanceof HTMLElement)) return;
  const way = radio.dataset.sort ?? "";
  keepWay(list, way);
  // A new personal order begins with the visible order.
  if (way === "own" && orderOf(list).length === 0) keepOrder(list, seen(list));
  arrange();
});

document.addEventListener("pointerover", (event) => {
  const now = event.pointerType === "mouse";
  if (now === mouse || !closest(event.target, "[data-sortable]", HTMLElement)) return;
  mouse = now;
  arrange();
});

document.addEventListener("keydown", (event) => {
  const field = closest(event.target, "[data-sortable] > [data-card] input", HTMLInputElement);
  const list = closest(field, "[data-sortable]", HTMLElement);
  if (!field || !list || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const fields = fieldsOf(list);
  const at = fields.indexOf(field);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: fields.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  fields[to]?.focus();
});

document.addEventListener("focusin", (event) => {
  const list = closest(event.target, "[data-sortable]", HTMLElement);
  if (list) stopOnce(list);
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

// A press on an element with data-press plays the only chosen item there, as dragging it there would do.
document.addEventListener("click", (event) => {
  const taker = closest(event.target, "[data-takes][data-press]", HTMLElement);
  const chosen = all("[data-sortable] > [data-card]:has(:checked)", HTMLElement);
  if (!taker || !chosen[0] || chosen.length > 1 || closest(event.target, "button", HTMLElement)) return;
  const moves = movesOf(taker, chosen[0]);
  const box = taker.getBoundingClientRect();
  if (buttonsOf(moves).length) play(moves, (event.clientX - box.left) / box.width, "");
});

arrange();
aroundMorph(() => arrange);
document.addEventListener("htmx:after:swap", arrange); // an answer to a draft replaces the list alone
