// Whose turn it is, told by the page's title and by a sound. A hidden tab lets its stream go, and asks now and then.
import { need } from "./dom.js";
import { read } from "./preferences.js";
import { afterPush } from "./pushes.js";

const ASK_MS = 20_000;
const SOON_MS = 400;

const title = () => document.getElementById("head")?.dataset.title ?? document.title.replace(/^● /, "");
const address = need("stream", HTMLElement).dataset.turn ?? "";
const asked = () => document.getElementById("turn")?.dataset.mine === "true";

/** @type {AudioContext | undefined} */
let sounds;

function ring() {
  if (read("sound", "on") !== "on") return;
  try {
    sounds ??= new AudioContext();
    const now = sounds.currentTime;
    const tone = sounds.createOscillator();
    const volume = sounds.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(660, now);
    tone.frequency.exponentialRampToValueAtTime(440, now + 0.25);
    volume.gain.setValueAtTime(0.12, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
    tone.connect(volume).connect(sounds.destination);
    tone.start();
    tone.stop(now + 0.4);
  } catch {
    // a browser may forbid sound until the page was touched
  }
}

/** @param {boolean} mine */
function tell(mine) {
  document.title = (mine ? "● " : "") + title();
}

let was = asked();
let nudged = false;
tell(was);

/** @param {boolean} mine */
function notice(mine) {
  tell(mine);
  if (mine && !was) ring();
  was = mine;
}

/** Ask for a page that is hidden; a nudge sounds again. */
async function ask() {
  if (!document.hidden) return;
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const told = await answer.json();
    notice(told.mine);
    if (told.nudged && !nudged) ring();
    nudged = told.nudged;
  } catch {
    // the next time, then
  }
}

afterPush(() => notice(asked()));
// Soon, too: the others are told that the page is still open behind another one. One that is closed gets no further.
document.addEventListener("visibilitychange", () => setTimeout(ask, SOON_MS));
setInterval(ask, ASK_MS);
