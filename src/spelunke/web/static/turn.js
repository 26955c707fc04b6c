// Announce the player's turn by the page's title and a sound. A hidden tab closes its stream, and polls the server.
import { need } from "./dom.js";
import { afterPush } from "./pushes.js";
import { play, shake, whenTold } from "./sounds.js";

const ASK_MS = 20_000;
const SOON_MS = 400;

const title = () => document.getElementById("head")?.dataset.title ?? document.title.replace(/^● /, "");
const address = need("stream", HTMLElement).dataset.turn ?? "";
const asked = () => document.getElementById("turn")?.dataset.mine === "true";

function ring() {
  play("turn");
  shake([30, 60, 30]);
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
  const begun = mine && !was;
  was = mine; // before the bell, which asks for it
  if (begun) whenTold(ringIfAsked);
}

function ringIfAsked() {
  if (was) ring();
}

/** Poll the server while the page is hidden. If another player nudges this player, play the sound again. */
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
// Also poll soon after the page was hidden, so that the server knows that the page is open in the background and was
// not closed.
document.addEventListener("visibilitychange", () => setTimeout(ask, SOON_MS));
setInterval(ask, ASK_MS);
