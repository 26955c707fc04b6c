// The chat. On a narrow screen it is a sheet over the page, and its button shows the number of unread messages. A new
// message appears for a moment below the head.
import { all, find } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const SHOWN_MS = 6_000;
const LINES = 50; // tables whose read messages are remembered
const WATCHING = 1_000_000; // the numbers of spectators' messages are greater (reading.py)

const chat = find("chat", HTMLElement);
const opener = find("chat-open", HTMLAnchorElement);
const mark = find("chat-unread", HTMLElement);
const bubble = find("chat-said", HTMLButtonElement);
const close = find("chat-close", HTMLButtonElement);
const table = chat?.dataset.table ?? "";

/**
 * The numbers of the newest lines that this device has read at a table: of the players and of the spectators.
 * @typedef {[string, ...number[]]} Read
 */

/** @returns {Read[]} */
function readKept() {
  try {
    const kept = JSON.parse(read("talk", "[]"));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

let [, ...seen] = readKept().find(([name]) => name === table) ?? [table];
let shown = seen;
let timer = 0;
/** @type {CloseWatcher | undefined} */
let watcher; // with it, Android's Back closes the sheet, as it closes popovers

/** @param {Element} line */
const numberOf = (line) => Number(line.id.replace("chat-", ""));

/** Return whether a line is newer than the lines with these numbers. @param {Element} line @param {number[]} numbers */
const isNewer = (line, numbers) => numberOf(line) > (numbers[Number(numberOf(line) > WATCHING)] ?? -1);

/** Return the numbers of the newest lines, of the players and of the spectators. @param {Element[]} lines */
function newestOf(lines) {
  const numbers = lines.map(numberOf);
  return [Math.max(-1, ...numbers.filter((n) => n <= WATCHING)), Math.max(-1, ...numbers)];
}

/** Return whether the chat is visible now. */
function isRead() {
  if (!chat || document.hidden) return false;
  if (chat.classList.contains("sheet")) return true;
  return !opener?.checkVisibility();
}

function hideBubble() {
  clearTimeout(timer);
  if (bubble) bubble.hidden = true;
}

/** Show a message for a moment. @param {Element} line */
function showBubble(line) {
  if (!bubble) return;
  const [name, words] = [bubble.querySelector("b"), bubble.querySelector("span")];
  if (name) name.textContent = line.querySelector("b")?.textContent ?? "";
  if (words) words.textContent = line.querySelector("span")?.textContent ?? "";
  bubble.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(hideBubble, SHOWN_MS);
}

/** Count unread messages, and show the newest one once. */
function count() {
  const lines = all("#chat-lines > li", HTMLElement);
  if (opener && lines.length) opener.hidden = false; // against bots, it is hidden until the first message
  if (isRead() && lines.some((line) => isNewer(line, seen))) {
    seen = newestOf(lines);
    const others = readKept().filter(([name]) => name !== table);
    keep("talk", JSON.stringify([[table, ...seen], ...others].slice(0, LINES)));
  }
  const unread = lines.filter((line) => isNewer(line, seen) && !line.classList.contains("own"));
  if (mark) {
    mark.textContent = String(unread.length);
    mark.hidden = !unread.length;
  }
  const { label = "", unread: told = "" } = opener?.dataset ?? {};
  opener?.setAttribute("aria-label", unread.length ? `${told} ${unread.length}` : label);
  const last = unread[unread.length - 1];
  if (last && isNewer(last, shown)) showBubble(last);
  if (!unread.length) hideBubble();
  shown = newestOf(lines);
}

/** @param {boolean} open */
function toggle(open) {
  if (!chat || !opener) return;
  chat.classList.toggle("sheet", open);
  opener.setAttribute("aria-expanded", String(open));
  if (close) close.hidden = !open;
  watcher?.destroy();
  watcher = open && window.CloseWatcher ? new window.CloseWatcher() : undefined;
  watcher?.addEventListener("close", () => toggle(false));
  const field = chat.querySelector("input[name=text]");
  if (open && field instanceof HTMLInputElement) field.focus({ preventScroll: true });
  else opener.focus({ preventScroll: true });
  const lines = find("chat-lines", HTMLElement);
  if (open && lines) lines.scrollTop = lines.scrollHeight;
  count();
}

opener?.setAttribute("role", "button");
opener?.setAttribute("aria-expanded", "false");
opener?.addEventListener("click", (event) => {
  event.preventDefault();
  toggle(!chat?.classList.contains("sheet"));
});
opener?.addEventListener("keydown", (event) => {
  if (event.key !== " ") return; // a link ignores Space, which presses a button
  event.preventDefault();
  opener.click();
});
close?.addEventListener("click", () => toggle(false));
bubble?.addEventListener("click", () => toggle(true));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chat?.classList.contains("sheet")) toggle(false);
});
document.addEventListener("visibilitychange", count);
afterPush(count);
count();
