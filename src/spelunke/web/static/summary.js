// When a summary of a round appears, move the focus to its heading for screen readers. Close the summary after the time
// that is set on this device (data-summary: stay, 20 or 8 seconds, or skip).
import { closest, find } from "./dom.js";
import { read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const AGAIN_MS = 3_000; // repeat an automatic dismissal until the server has received it

let shown = "";
let timer = 0;

function goOn() {
  const button = find("summary-on", HTMLButtonElement);
  if (!button) return;
  button.form?.requestSubmit(button);
  timer = setTimeout(goOn, AGAIN_MS);
}

/** @param {boolean} [opening] */
function follow(opening = false) {
  const round = find("summary", HTMLElement)?.dataset.round ?? "";
  if (round === shown) return;
  shown = round;
  clearTimeout(timer);
  if (!round) return;
  const wish = read("summary", "stay");
  if (wish === "skip") goOn();
  else if (Number(wish)) timer = setTimeout(goOn, Number(wish) * 1000);
  if (!opening && wish !== "skip") requestAnimationFrame(present);
}

// Show the head of the summary also to people who have scrolled down. After the last round, the result comes first.
function present() {
  const result = find("result-title", HTMLElement);
  const title = find("summary-title", HTMLElement);
  const at = document.activeElement;
  if (!at || at === document.body || at.closest("#act")) (result ?? title)?.focus({ preventScroll: true });
  if (!result) title?.parentElement?.scrollIntoView({ block: "nearest" });
}

// An overview that the mouse opens gets no focus on its button: after it, Enter goes on.
document.addEventListener("mousedown", (event) => {
  if (closest(event.target, "#summary [popovertarget]", HTMLElement)) event.preventDefault();
});
afterPush(() => follow());
follow(true);
