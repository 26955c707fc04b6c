// The bell's number follows when a page is shown again: what came, and what was read elsewhere meanwhile.
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
    // without a line the number stays as it was
  }
}
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => {
  if (event.persisted) void look();
});
