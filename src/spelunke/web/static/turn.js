// Announce the turn by the page's title and a sound. A hidden tab closes its stream, and polls now and then.
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
    // browsers may forbid sound before the first interaction
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

/** Poll while the page is hidden; a nudge sounds again. */
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
    // try again next time
  }
}

afterPush(() => notice(asked()));
// Poll soon, too: it shows the others that the page is still open in the background. A closed page never gets there.
document.addEventListener("visibilitychange", () => setTimeout(ask, SOON_MS));
setInterval(ask, ASK_MS);
