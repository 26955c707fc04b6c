// Show each new reaction of a player for a moment beside the portrait. Don't show reactions from before the page was
// opened.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const SHOWN_MS = 4_000;

/** For each seat, the time of its newest reaction, and the time to hide it. */
const newest = new Map(
  all(".reaction", HTMLElement).map((one) => [one.id, { at: one.dataset.at, until: 0 }]),
);

function show() {
  for (const one of all(".reaction", HTMLElement)) {
    const known = newest.get(one.id);
    if (known?.at !== one.dataset.at) {
      newest.set(one.id, { at: one.dataset.at, until: performance.now() + SHOWN_MS });
      setTimeout(show, SHOWN_MS + 50);
      if (!one.closest(".seat")?.querySelector(".badge.you"))
        document.dispatchEvent(new CustomEvent("spelunke:reaction"));
    }
    one.hidden = performance.now() >= (newest.get(one.id)?.until ?? 0);
  }
}

afterPush(show);
