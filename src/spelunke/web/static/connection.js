// The state of the stream, shown in its place, and what the house refused.
import { need } from "./dom.js";

const place = need("connection", HTMLElement);
const trouble = need("trouble", HTMLElement);

/** Whether news come by themselves. */
export function live() {
  return place.dataset.state === "live";
}

/** @param {"live" | "wait" | "lost"} state */
function show(state) {
  place.dataset.state = state;
  place.textContent = place.dataset[state] ?? "";
}

document.addEventListener("htmx:sse:after:connection", () => show("live"));
document.addEventListener("htmx:sse:error", () => show("wait"));
document.addEventListener("htmx:sse:before:connection", (event) => {
  if (event.detail.connection.attempt > 0) show("wait");
});
document.addEventListener("htmx:sse:close", () => show("lost"));
document.addEventListener("htmx:error", () => {
  if (!live()) show("lost");
});
document.addEventListener("htmx:response:error", (event) => {
  const { request, text } = event.detail.ctx;
  if (request.method === "POST") trouble.innerHTML = text ?? "";
});
// Without a stream an accepted act would not be seen: then the page itself is fetched anew.
document.addEventListener("htmx:after:request", (event) => {
  const { request, response } = event.detail.ctx;
  if (request.method !== "POST" || !response || response.status >= 300) return;
  trouble.textContent = "";
  if (!live()) location.reload();
});
