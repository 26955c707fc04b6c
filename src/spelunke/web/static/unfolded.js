// What somebody has opened or closed stays so when it comes anew: details with data-kept, and those of the board's form.
import { closest, find } from "./dom.js";
import { afterPush } from "./pushes.js";

/** @type {Map<string, boolean>} */
const kept = new Map();

function restore() {
  for (const [id, open] of kept) {
    const details = find(id, HTMLDetailsElement);
    if (details && details.open !== open) details.open = open;
  }
}

document.addEventListener(
  "toggle",
  (event) => {
    const details = event.target;
    if (!(details instanceof HTMLDetailsElement) || !details.isConnected) return;
    if (details.matches("[data-kept]")) kept.set(details.id, details.open);
  },
  { capture: true },
);
// A morph of the board opens and closes details as well: there only a press tells the wish.
document.addEventListener("click", (event) => {
  const details = closest(event.target, "summary", HTMLElement)?.parentElement;
  if (details instanceof HTMLDetailsElement && details.id && details.closest("#act")) {
    kept.set(details.id, !details.open);
  }
});
afterPush(restore);
document.addEventListener("htmx:after:swap", restore);
