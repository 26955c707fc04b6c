// Open and close hands on a shared device without new entries in the history, so that “Back” leaves the table.
import { closest } from "./dom.js";

document.addEventListener("submit", async (event) => {
  const form = closest(event.target, "#curtain form", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type !== "opaqueredirect") throw new Error("the server refuses");
    location.replace(form.action.replace(/\/hand$/, ""));
  } catch {
    form.submit(); // the browser then shows the error
  }
});
