// Update the bell's number when the page is shown again.
import "./seeks.js";
import { all } from "./dom.js";

async function look() {
  const bells = all(".top-me .bell", HTMLElement);
  if (document.hidden || bells.length === 0) return;
  try {
    const answer = await fetch("/me/notifications/bell", { headers: { "HX-Request": "true" } });
    if (answer.status !== 200) return;
    const fresh = await answer.text();
    for (const bell of bells) bell.innerHTML = fresh;
  } catch {
    // without a connection the number stays as it was
  }
}
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => {
  if (event.persisted) void look();
});
