// A link goes to friends by the phone's own sheet (data-share names the field), where the browser has one.
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
    // who closes the sheet has changed their mind
  }
});
