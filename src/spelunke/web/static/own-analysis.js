// Analyse a finished game on the reader's own device. A worker computes values, and the server makes the analysis from
// them. If this is impossible or fails, the form asks the server for the analysis, as without scripts.
import { closest, find } from "./dom.js";

/** @typedef {import("./judge.js").Told} Told */

const PART = 48_000; // bytes of results in one request

/** @type {{ worker: Worker, share: number } | null} */
let work = null;

const ABLE = typeof Worker === "function" && typeof WebAssembly === "object";

/** Return the form if this browser can compute the analysis, else null. */
function ownForm() {
  const form = find("analyse", HTMLFormElement);
  return ABLE && form?.dataset.script ? form : null;
}

/** Show the progress, or the button with its note. The page's parts may have been replaced. */
export function showOwnWork() {
  const unable = find("no-own-note", HTMLElement);
  if (unable) unable.hidden = ABLE;
  const form = ownForm();
  if (!form) return;
  form.hidden = work !== null;
  const [note, panel] = [find("own-note", HTMLElement), find("own-work", HTMLElement)];
  if (note) note.hidden = work !== null;
  if (!panel) return;
  panel.hidden = work === null;
  const bar = panel.querySelector("progress");
  if (bar) bar.value = work?.share ?? 0;
}

function stop() {
  work?.worker.terminate();
  work = null;
  showOwnWork();
}

/** Send the results, and show the analysis. @param {ArrayBuffer} results @param {string} address */
async function send(results, address) {
  const size = results.byteLength; // 0 if nobody decided in the game
  for (let at = 0; at < size || at === 0; at += PART) {
    const answer = await fetch(`${address}?at=${at}&size=${size}`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: results.slice(at, at + PART),
    });
    if (!answer.ok) throw new Error(String(answer.status));
  }
  if (location.search) location.reload();
  else location.search = "?ply=worst"; // the error that cost most
}

/** @param {HTMLFormElement} form */
function begin(form) {
  const { script = "", module = "", plan = "", weights = "" } = form.dataset;
  const mine = { worker: new Worker(script), share: 0 };
  const giveUp = () => {
    if (work !== mine) return; // the person has stopped this work
    stop();
    form.submit(); // the server makes the analysis
  };
  mine.worker.addEventListener("error", giveUp);
  mine.worker.addEventListener("message", ({ data }) => {
    const { share, results, problem } = /** @type {Told} */ (data);
    if (work !== mine) return;
    if (problem !== undefined) giveUp();
    else if (results) void send(results, plan).catch(giveUp);
    else {
      mine.share = share ?? 0;
      showOwnWork();
    }
  });
  mine.worker.postMessage({
    module: new URL(module, location.href).href,
    plan: new URL(plan, location.href).href,
    weights: new URL(weights, location.href).href,
  });
  work = mine;
  showOwnWork();
  find("own-stop", HTMLButtonElement)?.focus();
}

document.addEventListener("submit", (event) => {
  const form = ownForm();
  if (!form || event.target !== form) return;
  event.preventDefault();
  if (!work) begin(form);
});

document.addEventListener("click", (event) => {
  if (!closest(event.target, "#own-stop", HTMLElement)) return;
  stop();
  ownForm()?.querySelector("button")?.focus();
});
