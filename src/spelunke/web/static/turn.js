// Whose turn it is, told by the page's title and by a sound. A hidden tab lets its stream go, and asks now and then.
import { need } from "./dom.js";
import { afterPush } from "./pushes.js";
import { play, shake } from "./sounds.js";

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
