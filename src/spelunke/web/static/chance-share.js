// Make the seat's nonce on this device: a random text that is mixed into chance, so that the server alone can't choose
// the outcomes. After a moment, send only the nonce's SHA-256, unless the player is typing a nonce. When each player
// has sent a SHA-256, send the nonce.
import { accepted } from "./connection.js";
import { digest, writeHex } from "./digest.js";
import { find, need } from "./dom.js";
import { keep, read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const MOMENT_MS = 1_200;
const AGAIN_MS = 2_000; // after a failed request
const MOST = 20; // tables whose nonces are remembered
const RIGHT = /^[!-~]{1,64}$/;
const MADE = /^[0-9a-f]{32}$/; // by `fresh`

let giving = 0;
let sending = false;
let done = ""; // the fields sent last
/** The nonces of this page, in case the browser stores nothing. @type {Record<string, string>} */
let shares = {};

/** @returns {Record<string, string>} */
function readShares() {
  try {
    return { ...JSON.parse(read("shares", "{}")), ...shares };
  } catch {
    return shares;
  }
}

/** @param {string} table @param {string} nonce */
function keepShare(table, nonce) {
  const { [table]: _before, ...others } = readShares();
  shares = Object.fromEntries([...Object.entries(others), [table, nonce]].slice(-MOST));
  keep("shares", JSON.stringify(shares));
}

/** @param {string} text */
async function hash(text) {
  return writeHex(await digest(new TextEncoder().encode(text)));
}

/**
 * Send a nonce or its SHA-256. If the server refuses it, show the reason, unless the table needs it no more (409): its
 * game has started, and the form disappears.
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} fields
 */
async function give(form, fields) {
  const body = new URLSearchParams(fields);
  if (sending || done === body.toString()) return;
  sending = true;
  let again = AGAIN_MS;
  try {
    const headers = { "HX-Request": "true" };
    const answer = await fetch(form.action, { method: "POST", body, headers, keepalive: true });
    if (!answer.ok && answer.status !== 409) need("trouble", HTMLElement).innerHTML = await answer.text();
    if (answer.ok) {
      accepted();
      done = body.toString();
      again = 0;
    }
  } catch {
    // no connection: try again in a moment
  }
  sending = false;
  setTimeout(follow, again);
}

/** @param {HTMLFormElement} form @param {string} nonce */
async function commit(form, nonce) {
  keepShare(form.dataset.table ?? "", nonce);
  await give(form, { commitment: await hash(nonce) });
}

/** Return this device's nonce for the SHA-256 that the server has, or an empty text. @param {HTMLFormElement} form */
async function ownShare(form) {
  const nonce = readShares()[form.dataset.table ?? ""] ?? "";
  return nonce && (await hash(nonce)) === form.dataset.bound ? nonce : "";
}

/** @param {HTMLFormElement} form */
async function open(form) {
  const nonce = await ownShare(form);
  if (nonce) await give(form, { nonce });
}

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function giveByItself() {
  giving = 0;
  const form = find("nonce", HTMLFormElement);
  const field = find("nonce-field", HTMLInputElement);
  if (!form || !field || form.dataset.given === "true" || field === document.activeElement) return;
  if (RIGHT.test(field.value)) commit(form, field.value);
}

/** @param {HTMLInputElement} field */
function propose(field) {
  if (!field.value && field !== document.activeElement) field.value = fresh();
  const waits = field.form?.dataset.alone !== "true"; // players against bots wait for nobody, so they begin immediately
  if (!giving) giving = setTimeout(giveByItself, waits ? MOMENT_MS : 0);
}

/**
 * Replace a nonce that was sent openly while the page was hidden (see below). The server accepts a new nonce until it
 * asks all players for their nonces (data-opening).
 * @param {HTMLFormElement} form
 * @param {string} nonce
 */
function giveAnew(form, nonce) {
  if (form.dataset.opening === "true" || document.hidden || !MADE.test(nonce)) return;
  if (readShares()[form.dataset.table ?? ""] === nonce) commit(form, fresh());
}

/** Send the nonce or its SHA-256, if the table waits for this seat. */
function follow() {
  const form = find("nonce", HTMLFormElement);
  const field = find("nonce-field", HTMLInputElement);
  if (!form || !field || sending) return;
  const { given, opened, opening } = form.dataset;
  if (given !== "true") {
    propose(field);
  } else if (opened === "true") {
    giveAnew(form, field.value);
  } else {
    if (!field.value) field.value = readShares()[form.dataset.table ?? ""] ?? "";
    if (opening === "true") open(form);
  }
}

// A typed nonce takes the same path. If it is malformed, the server refuses it.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.id !== "nonce") return;
    const nonce = need("nonce-field", HTMLInputElement).value;
    if (!RIGHT.test(nonce) || form.dataset.opening === "true") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    commit(form, nonce);
  },
  true,
);

// A hidden page receives no events, so it could not send its nonce later. Therefore it sends the nonce immediately.
// This nonce counts, unless `giveAnew` replaces it in time.
document.addEventListener("visibilitychange", async () => {
  const form = find("nonce", HTMLFormElement);
  if (!document.hidden) follow();
  else if (form?.dataset.given === "true" && form.dataset.opened !== "true") await open(form);
});

follow();
afterPush(follow);
