// The account pages: passkeys, copied links, printed codes, visible passwords.
import "./bell.js";
import "./copy-link.js";
import "./local-times.js";
import "./passkeys.js";
import "./share.js";
import "./strength.js";
import { all, closest, need } from "./dom.js";

for (const button of all("[data-print], [data-show]", HTMLButtonElement)) button.hidden = false;
document.addEventListener("click", (event) => {
  if (closest(event.target, "[data-print]", HTMLButtonElement)) print();
  const button = closest(event.target, "[data-show]", HTMLButtonElement);
  if (!button) return;
  const field = need(button.dataset.show ?? "", HTMLInputElement);
  const shown = field.type === "password";
  field.type = shown ? "text" : "password";
  button.setAttribute("aria-pressed", String(shown));
});
