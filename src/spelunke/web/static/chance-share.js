// A share in chance made here, so that the house can't have chosen it. It is given by itself after a moment, unless
// somebody is about to type one of their own.
import { find } from "./dom.js";
import { afterPush } from "./pushes.js";

const MOMENT_MS = 1_200;

let giving = 0;

/** The form, while the share is not given. */
function openForm() {
  const form = find("nonce", HTMLFormElement);
  return form && form.dataset.given !== "true" ? form : null;
}

function give() {
  giving = 0;
  if (document.activeElement?.id !== "nonce-field") openForm()?.requestSubmit();
}

function share() {
  const field = find("nonce-field", HTMLInputElement);
  if (!openForm() || !field) return;
  if (!field.value && field !== document.activeElement) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  if (!giving) giving = setTimeout(give, MOMENT_MS);
}

share();
afterPush(share);
