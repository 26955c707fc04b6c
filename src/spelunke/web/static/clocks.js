// Count clocks down between two messages of the server. data-until is the end of the time in seconds since 1970.
import { all } from "./dom.js";

const LOW = 30; // seconds

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {number} seconds */
function write(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

setInterval(() => {
  for (const clock of all("[data-until]", HTMLElement)) {
    const left = Math.max(0, Math.round(Number(clock.dataset.until) - Date.now() / 1000));
    const text = write(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", left < LOW);
  }
}, 500);
