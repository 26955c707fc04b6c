// The pages of one's account: passkeys, a link that is copied, codes that are printed, times as they are here.
import "./copy-link.js";
import "./local-times.js";
import "./passkeys.js";
import { all, closest } from "./dom.js";

for (const button of all("[data-print]", HTMLButtonElement)) button.hidden = false;
document.addEventListener("click", (event) => {
  if (closest(event.target, "[data-print]", HTMLButtonElement)) print();
});
