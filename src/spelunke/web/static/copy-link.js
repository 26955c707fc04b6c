// A button that copies the text of a field. data-copy is the id of the field, and data-done the confirmation to show.
// The links of a chain in a page are unsigned. For them, the button first fetches the signature from the address
// data-head, and adds it to the copied text.
import { all, closest, need } from "./dom.js";
import { afterPush } from "./pushes.js";

function offer() {
  for (const button of all("[data-copy]", HTMLButtonElement)) button.hidden = false;
}

offer();
afterPush(offer);
/** @param {string} told @param {string | undefined} address */
async function sign(told, address) {
  if (!address || JSON.parse(told).signature) return told;
  try {
    const shown = JSON.parse(told);
    const answer = await fetch(address + shown.seen, { headers: { Accept: "application/json" } });
    if (!answer.ok) return told;
    const { viewer, chain } = await answer.json();
    // Add a signature only if it is for the link that this page shows. Otherwise the server could replace the link.
    const same = viewer === shown.viewer && chain.ply === shown.seen && chain.link === shown.link;
    return same ? JSON.stringify({ ...shown, key: chain.key, signature: chain.signature }) : told;
  } catch {
    return told; // an unsigned link is useful too
  }
}

/** Copy a text, and return whether this succeeded. The text must be selected on the page. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy"); // the only method over plain http
  }
}

document.addEventListener("click", async (event) => {
  const button = closest(event.target, "[data-copy]", HTMLButtonElement);
  if (!button) return;
  const field = need(button.dataset.copy ?? "", HTMLInputElement);
  field.value = await sign(field.value, button.dataset.head);
  field.select();
  if (await copy(field.value)) button.textContent = button.dataset.done ?? "";
  else field.select(); // the person can copy it with a key
});
