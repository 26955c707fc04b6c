// Localize times: the time of day, with its date (data-day), or the date alone (data-date).
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

/** Localize all times of the page. */
export function localize() {
  for (const time of all("time[datetime]", HTMLTimeElement)) {
    const at = new Date(time.dateTime);
    const text =
      "day" in time.dataset
        ? at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })
        : "date" in time.dataset
          ? at.toLocaleDateString([], { dateStyle: "medium" })
          : at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    if (text !== time.textContent) time.textContent = text;
  }
}

localize();
afterPush(localize);
