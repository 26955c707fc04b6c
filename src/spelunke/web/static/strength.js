// Show a password's strength while it is typed. The server computes the strength, because its word lists are too large
// for the page.
import { all, find } from "./dom.js";

const PAUSE_MS = 500;

/** @typedef {{ grade: number, good: boolean, said: string }} Judged */

/** @param {HTMLElement} place */
function judge(place) {
  const field = find(place.dataset.strength ?? "", HTMLInputElement);
  const meter = place.querySelector("meter");
  const words = place.querySelector("[role=status]");
  if (!field || !meter || !words) return;
  let waits = 0;
  let asked = 0;
  const ask = async () => {
    const turn = ++asked;
    const name = find(place.dataset.with ?? "", HTMLInputElement)?.value ?? "";
    try {
      const answer = await fetch("/password/grade", {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams({ password: field.value, name }),
      });
      if (!answer.ok || turn !== asked || !field.value) return;
      const told = /** @type {Judged} */ (await answer.json());
      meter.value = told.grade;
      words.textContent = told.said;
      place.hidden = false;
    } catch {
      // the server checks the password again when the form is sent
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(waits);
    if (!field.value) place.hidden = true;
    else waits = setTimeout(ask, PAUSE_MS);
  });
}

for (const place of all("[data-strength]", HTMLElement)) judge(place);
