// A button that copies a field (data-copy names it) and says so (data-done). What streams bring of a chain is not signed:
// data-head names where its signed head is, which is then copied.
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
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) return told;
    const shown = JSON.parse(told);
    const { viewer, chain } = await answer.json();
    // Only for the very head that this page shows: another one is the house's word of now, which must replace nothing.
    const same = viewer === shown.viewer && chain.ply === shown.seen && chain.link === shown.link;
    return same ? JSON.stringify({ ...shown, key: chain.key, signature: chain.signature }) : told;
  } catch {
    return told; // unsigned it is worth something too
  }
}

/** Copy a text; the field that holds it is selected. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy"); // over plain http there is no other way
  }
}

document.addEventListener("click", async (event) => {
  const button = closest(event.target, "[data-copy]", HTMLButtonElement);
  if (!button) return;
  const field = need(button.dataset.copy ?? "", HTMLInputElement);
  field.value = await sign(field.value, button.dataset.head);
  field.select();
  if (await copy(field.value)) button.textContent = button.dataset.done ?? "";
  else field.select(); // to be copied by a key
});
