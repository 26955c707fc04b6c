// Keep opened and closed details as they are across pushes: those with data-kept, and those of the board's form.
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

// Read the press itself. A push may come between a press and its "toggle" event, which then reports the state after the
// push.
document.addEventListener("click", (event) => {
  const details = closest(event.target, "summary", HTMLElement)?.parentElement;
  if (
    details instanceof HTMLDetailsElement &&
    details.id &&
    (details.matches("[data-kept]") || details.closest("#act"))
  ) {
    kept.set(details.id, !details.open);
  }
});
// Record details that were opened before this script was loaded.
for (const details of document.querySelectorAll("details[data-kept][open]")) kept.set(details.id, true);
afterPush(restore);
document.addEventListener("htmx:after:swap", restore);
