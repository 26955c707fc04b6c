// Share a link through the device's own dialog, if the browser has one. data-share is the id of the field with the
// link.
import { all, closest, need } from "./dom.js";
import { afterPush } from "./pushes.js";

function offerSheet() {
  if (typeof navigator.share !== "function") return;
  for (const button of all("[data-share]", HTMLButtonElement)) button.hidden = false;
}

offerSheet();
afterPush(offerSheet);
document.addEventListener("click", async (event) => {
  const button = closest(event.target, "[data-share]", HTMLButtonElement);
  if (!button) return;
  const url = need(button.dataset.share ?? "", HTMLInputElement).value;
  try {
    await navigator.share({ title: document.title, text: button.dataset.says ?? "", url });
  } catch {
    // closing the dialog is no error
  }
});
