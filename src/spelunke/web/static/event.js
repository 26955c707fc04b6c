// The page of a tournament. While the page is visible, ask the server regularly whether the tournament has changed. If it
// has, fetch the page again and replace those parts (data-part) that differ.
import "./copy-link.js";
import "./me.js";
import "./share.js";
import { all, find } from "./dom.js";
import { localize } from "./local-times.js";

const EVERY_MS = 10_000;
const CONTROLS = "a, button, select";
const shown = find("event", HTMLElement);
let asking = false;

/** Return a text by which a control is found again in the new page. @param {Element} control */
const sign = (control) =>
  `${control.tagName} ${control.getAttribute("href") ?? control.closest("form")?.getAttribute("action")}`;

/** Replace the content of a part. The focus stays at its control. @param {HTMLElement} old @param {HTMLElement} now */
function renew(old, now) {
  if (old.isEqualNode(now)) return;
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceChildren(...now.childNodes);
  if (!held) return;
  const again = all(CONTROLS, HTMLElement, old).find((control) => sign(control) === sign(held));
  (again ?? find("main", HTMLElement))?.focus({ preventScroll: true });
}

/** Show the new page, where it differs from this one. @param {HTMLElement} here @param {Document} page */
function show(here, page) {
  for (const old of all("[data-part]", HTMLElement)) {
    const now = page.getElementById(old.id);
    if (now) renew(old, now);
  }
  const bell = page.querySelector(".top-me .bell");
  if (bell) for (const old of all(".top-me .bell", HTMLElement)) old.innerHTML = bell.innerHTML;
  localize();
  here.dataset.state = page.getElementById("event")?.dataset.state ?? ""; // a finished tournament has none
}

async function ask() {
  if (!shown?.dataset.state || document.hidden || asking) return;
  asking = true;
  try {
    const answer = await fetch(`${location.pathname}/state`);
    if (!answer.ok || (await answer.text()) === shown.dataset.state) return;
    const page = await fetch(location.href);
    if (page.ok) show(shown, new DOMParser().parseFromString(await page.text(), "text/html"));
  } catch {
    // no connection: the next call tries again
  } finally {
    asking = false;
  }
}

setInterval(ask, EVERY_MS);
document.addEventListener("visibilitychange", ask);
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) void ask();
});
