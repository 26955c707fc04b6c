// A button that copies a field (data-copy names it) and says so (data-done).
import { all, closest, need } from "./dom.js";
import { afterPush } from "./pushes.js";

function offer() {
  for (const button of all("[data-copy]", HTMLButtonElement)) button.hidden = false;
}

offer();
afterPush(offer);
document.addEventListener("click", async (event) => {
  const button = closest(event.target, "[data-copy]", HTMLButtonElement);
  if (!button) return;
  const field = need(button.dataset.copy ?? "", HTMLInputElement);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // over plain http there is no other way
  }
  button.textContent = button.dataset.done ?? "";
});
