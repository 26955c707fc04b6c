// Times of day as they are here: the house only knows its own.
import { all } from "./dom.js";
import { afterPush } from "./pushes.js";

function localize() {
  for (const time of all("time[datetime]", HTMLTimeElement)) {
    const text = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    if (text !== time.textContent) time.textContent = text;
  }
}

localize();
afterPush(localize);
