// Clear the field after a message was sent.
import { closest } from "./dom.js";

document.addEventListener("htmx:after:request", (event) => {
  const form = closest(event.target, "form.chat-form", HTMLFormElement);
  const { response } = event.detail.ctx;
  if (form && response && response.status < 300) form.reset();
});
