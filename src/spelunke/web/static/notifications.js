// The pages of notifications: localized times, this device's time zone, and this browser's subscription.
import "./bell.js";
import "./local-times.js";
import { all } from "./dom.js";

// Suggest the device's zone until the person has chosen one.
for (const field of all("select[data-unset]", HTMLSelectElement)) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...field.options].some((option) => option.value === here)) field.value = here;
}

/**
 * Return a key in the form that the push service needs.
 * @param {string} text
 */
function readKey(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

/**
 * Tell the server that the subscription begins (`on`) or ends.
 * @param {PushSubscription} subscription
 * @param {boolean} on
 */
async function tell(subscription, on) {
  const { keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = on ? keys : {};
  const answer = await fetch("/me/push", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ endpoint: subscription.endpoint, p256dh, auth }),
  });
  if (!answer.ok) {
    const { message } = /** @type {{ message?: string }} */ (await answer.json());
    throw new Error(message ?? "");
  }
}

/** @param {HTMLElement} place */
async function turnOn(place) {
  const worker = await navigator.serviceWorker.ready;
  const applicationServerKey = readKey(place.dataset.push ?? "");
  const old = await worker.pushManager.getSubscription();
  const known = new Uint8Array(old?.options.applicationServerKey ?? new ArrayBuffer(0)).join();
  // If the server has new keys, the old subscription is useless.
  if (old && known !== applicationServerKey.join()) await old.unsubscribe();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await tell(made, true);
}

async function turnOff() {
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.getSubscription();
  if (!subscription) return;
  await tell(subscription, false);
  await subscription.unsubscribe();
}

/**
 * @param {HTMLElement} place
 * @param {() => Promise<void>} work
 */
async function press(place, work) {
  const trouble = place.querySelector("[data-trouble]");
  try {
    await work();
    location.reload();
  } catch (error) {
    if (!(trouble instanceof HTMLElement)) return;
    const own = error instanceof DOMException ? "" : error instanceof Error ? error.message : "";
    const { denied = "", failed = "" } = trouble.dataset;
    trouble.textContent = own || (Notification.permission === "denied" ? denied : failed);
    trouble.hidden = false;
  }
}

/** @param {HTMLElement} place */
async function offer(place) {
  await navigator.serviceWorker.register("/worker.js");
  const worker = await navigator.serviceWorker.ready;
  const has = await worker.pushManager.getSubscription();
  for (const button of all("[data-push-on]", HTMLButtonElement, place)) {
    button.hidden = Boolean(has) && document.querySelector("[data-push-known]") !== null;
    button.addEventListener("click", () => void press(place, () => turnOn(place)));
  }
  for (const button of all("[data-push-off]", HTMLButtonElement, place)) {
    button.hidden = !has;
    button.addEventListener("click", () => void press(place, turnOff));
  }
  place.hidden = false;
  for (const word of all("[data-push-missing]", HTMLElement)) word.hidden = true;
}

const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
for (const place of all("[data-push]", HTMLElement)) {
  if (able) void offer(place);
}
if (!isSecureContext) {
  for (const word of all("[data-push-missing]", HTMLElement)) word.textContent = word.dataset.plain ?? "";
}
