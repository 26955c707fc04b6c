// Open and close hands on a shared device without new entries in the history, so that “Back” leaves the table. Cover an
// open hand as soon as the page is hidden: when the page is visible again, somebody else may hold the device.
import { reach } from "./connection.js";
import { closest, find, send } from "./dom.js";
import { read, still } from "./preferences.js";
import { afterPush } from "./pushes.js";

let leaves = false; // the page of the next hand is on its way
// A message that reloads this page would ask for that page a second time, and the server would close the hand again.
document.addEventListener("htmx:sse:before:message", ({ detail: { waitUntil } }) => {
  if (leaves) waitUntil(new Promise(() => {}));
});

document.addEventListener("submit", async (event) => {
  const form = closest(event.target, "#curtain form", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  leaves = true;
  try {
    const answer = await send(form, null);
    if (answer.type !== "opaqueredirect") throw new Error("the server refuses");
    location.replace(form.action.replace(/\/hand$/, ""));
  } catch {
    form.submit(); // the browser then shows the error
  }
});

const AGAIN_MS = 1_000;
const root = document.documentElement;

function cover() {
  root.toggleAttribute("data-covered", document.querySelector(".curtain-close") !== null);
}

/** Load the page again as soon as the server can be reached. The server then closes the hand. */
async function uncover() {
  if (document.hidden || !root.hasAttribute("data-covered")) return;
  if (await reach(location.href, "omit")) location.reload();
  else setTimeout(uncover, AGAIN_MS);
}

if (document.hidden) cover();
document.addEventListener("visibilitychange", () => (document.hidden ? cover() : uncover()));
addEventListener("pagehide", cover);
addEventListener("pageshow", uncover);

let closed = false;
// When the curtain closed for a person who uses keys. The button of the next person then has the focus (focus.js).
let came = read("keyed", "") === location.pathname ? performance.now() : Number.NEGATIVE_INFINITY;

// A key that is held or pressed twice must not open the next person's hand.
const TWICE_MS = 400;
document.addEventListener(
  "keydown",
  (event) => {
    if (!closest(event.target, "#curtain > .curtain button", HTMLButtonElement)) return;
    const presses = event.key === "Enter" || event.key === " ";
    if (presses && (event.repeat || performance.now() - came < TWICE_MS)) event.preventDefault();
  },
  { capture: true },
);

/** Show the curtain also to people who have scrolled down. A story comes first, and a summary shows its own head. */
function present() {
  if (root.hasAttribute("data-telling")) return;
  const curtain = document.querySelector("#curtain > .curtain");
  if (curtain && !closed && !find("summary-on", HTMLElement))
    curtain.scrollIntoView({ behavior: still() ? "instant" : "smooth", block: "nearest" });
  closed = curtain !== null;
}

function follow() {
  const before = closed;
  present();
  if (closed && !before) came = performance.now();
}

present();
afterPush(() => requestAnimationFrame(follow)); // after the story has begun
document.addEventListener("spelunke:told", follow);
