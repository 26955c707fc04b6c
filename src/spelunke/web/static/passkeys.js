// Passkeys: the server sends options, the browser asks its owner, and the server checks the result.
import { all } from "./dom.js";

/**
 * An answer of the server.
 * @typedef {{message?: string, to?: string}} Told
 */

/**
 * Send JSON and return the JSON answer. Throw an error with the server's sentence if it refuses. If the person must
 * confirm their identity first, also go to the page for that.
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
 * Make a new passkey with the server's options.
 * @param {unknown} options
 */
async function make(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    /** @type {PublicKeyCredentialCreationOptionsJSON} */ (options),
  );
  return write(await navigator.credentials.create({ publicKey }));
}

/**
 * Sign with a passkey.
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
 * Run the passkey action of a form. Return the address of the next page.
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
 * Go to a page of this site. If the address is not on this site, go to the person's own page.
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
    // Closing the browser's dialog is no error.
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
