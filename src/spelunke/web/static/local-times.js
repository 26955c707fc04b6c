// Localize times: the time of day alone or with its date (data-day), or the date alone (data-date).
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

const spoken = document.documentElement.lang;
// If the page is in the reader's own language, use the browser's locale, which also decides between 12 and 24 hours.
const locale = spoken && !navigator.language.startsWith(spoken) ? spoken : [];

/** Localize all times of the page. */
export function localize() {
  for (const time of all("time[datetime]", HTMLTimeElement)) {
    const at = new Date(time.dateTime);
    const text =
      "day" in time.dataset
        ? at.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" })
        : "date" in time.dataset
          ? at.toLocaleDateString(locale, { dateStyle: "medium" })
          : at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
    if (text !== time.textContent) time.textContent = text;
  }
}

localize();
afterPush(localize);
