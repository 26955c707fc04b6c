// Keep <details> elements open or closed when the server updates the page: those with data-kept, and those on the
// board. An element with data-closes closes when a form in it is sent, and the page returns to its scroll position from
// before the element was opened.
import { closest, find } from "./dom.js";
import { afterPush } from "./pushes.js";

/** @type {Map<string, boolean>} */
const kept = new Map();
/** @type {Map<string, number>} */
const openedAt = new Map(); // the scroll position
let closing = "";

function restore() {
  for (const [id, open] of kept) {
    const details = find(id, HTMLDetailsElement);
    if (details && details.open !== open) details.open = open;
  }
}

// Listen to the press itself. If an update comes between a press and its "toggle" event, this event reports the state
// after the update.
document.addEventListener("click", (event) => {
  const details = closest(event.target, "summary", HTMLElement)?.parentElement;
  if (
    details instanceof HTMLDetailsElement &&
    details.id &&
    (details.matches("[data-kept]") || details.closest("#act"))
  ) {
    kept.set(details.id, !details.open);
    openedAt.set(details.id, scrollY);
  }
});
// Record details that were opened before this script was loaded.
for (const details of document.querySelectorAll("details[data-kept][open]")) kept.set(details.id, true);
afterPush(restore);
document.addEventListener("submit", (event) => {
  closing = closest(event.submitter, "details[data-closes]", HTMLDetailsElement)?.id ?? "";
});
document.addEventListener("htmx:after:swap", () => {
  const sent = closing && find(closing, HTMLDetailsElement);
  if (sent) {
    kept.set(closing, false);
    const at = document.activeElement;
    if (!at || at === document.body || sent.contains(at))
      sent.querySelector("summary")?.focus({ preventScroll: true });
  }
  restore();
  if (sent) scrollTo({ top: openedAt.get(closing) ?? scrollY, behavior: "instant" });
  closing = "";
});
