// A button that copies a link (data-copy names its field) and says so (data-done).
import { all, need } from "./dom.js";

for (const button of all("[data-copy]", HTMLButtonElement)) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = need(button.dataset.copy ?? "", HTMLInputElement);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // over plain http there is no other way
    }
    button.textContent = button.dataset.done ?? "";
  });
}
