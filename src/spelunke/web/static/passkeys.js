// Passkeys: the house says what it wants (options), the browser asks its owner, the house checks what came of it.
import { all } from "./dom.js";

/**
 * What the house says when something is refused.
 * @typedef {{message?: string, to?: string}} Told
 */

/**
 * Send JSON and read JSON; an error carries the house's own sentence.
 * @param {string} address
 * @param {unknown} body
 */
async function ask(address, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  /** @type {unknown} */
  const told = await answer.json();
  if (!answer.ok) {
    const { message } = /** @type {Told} */ (told);
    if (answer.status === 403 && /** @type {{error?: string}} */ (told).error === "not_proven") {
      location.assign("/me/confirm");
    }
    throw new Error(message ?? "");
  }
  return told;
}

/**
 * Have a new passkey made, as the house wishes it.
 * @param {unknown} options
 */
async function make(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    /** @type {PublicKeyCredentialCreationOptionsJSON} */ (options),
  );
  return write(await navigator.credentials.create({ publicKey }));
}

/**
 * Have a passkey shown.
 * @param {unknown} options
 */
async function show(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    /** @type {PublicKeyCredentialRequestOptionsJSON} */ (options),
  );
  return write(await navigator.credentials.get({ publicKey }));
}

/** @param {Credential | null} credential */
function write(credential) {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("");
  return credential.toJSON();
}

/**
 * What a form does with a passkey; gives the page to go to.
 * @param {HTMLElement} place
 * @returns {Promise<string>}
 */
async function use(place) {
  const way = place.dataset.passkey ?? "";
  if (way === "log-in" || way === "confirm") {
    const key = await show(await ask("/passkeys/log-in/options", {}));
    const back = place.dataset.back ?? "";
    const told = await ask(way === "confirm" ? "/me/confirm/passkey" : "/passkeys/log-in", { key, back });
    return /** @type {Told} */ (told).to ?? "/me";
  }
  const field = document.getElementById("member-name");
  const name = field instanceof HTMLInputElement ? field.value : "";
  if (field instanceof HTMLInputElement && !field.reportValidity()) throw new Error("");
  const key = await make(await ask("/passkeys/options", { name }));
  const { code = "", as = "" } = place.dataset;
  const told = await ask(way === "add" ? "/me/passkeys" : "/passkeys/member", { key, name, code, as });
  return /** @type {Told} */ (told).to ?? "/me/account";
}

/**
 * Go to a page of this house; an address of another one leads to one's own page.
 * @param {string} path
 */
function go(path) {
  const place = new URL(path, location.origin);
  location.assign(place.origin === location.origin ? place.href : "/me");
}

/** @param {HTMLElement} place */
async function begin(place) {
  const trouble = place.querySelector("[data-trouble]");
  if (trouble instanceof HTMLElement) trouble.hidden = true;
  try {
    go(await use(place));
  } catch (error) {
    // Somebody who closes the browser's question has changed their mind: nothing to complain of.
    const stopped = error instanceof DOMException && error.name === "NotAllowedError";
    const text = error instanceof Error ? error.message : "";
    if (trouble instanceof HTMLElement && text && !stopped) {
      trouble.textContent = text;
      trouble.hidden = false;
    }
  }
}

const able =
  typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
for (const place of all("[data-passkey]", HTMLElement)) {
  if (!able) break;
  place.hidden = false;
  const button = place.querySelector("button");
  button?.addEventListener("click", (event) => {
    event.preventDefault();
    void begin(place);
  });
}
for (const word of all("[data-passkey-or]", HTMLElement)) word.hidden = !able;
