// The animation at the end of a game: the lantern's rays, sparks, and the line with the winner. Any press ends the
// animation. The result can be used during the animation, because the result is already in its final place.
import { all } from "./dom.js";
import { move, moves, pace } from "./motion.js";
import { afterPush } from "./pushes.js";

const heading = () => document.getElementById("result-title");
const root = document.documentElement;
let ended = heading() !== null;

const reveal = () => root.toggleAttribute("data-ending", false);

/** @param {HTMLElement} card */
function celebrate(card) {
  const won = card.dataset.mood === "won";
  const [title] = all("#result-title", HTMLElement);
  if (title) {
    const from = won
      ? { opacity: 0, transform: "scale(0.6) rotate(-3deg)" }
      : { opacity: 0, transform: "translateY(-10px)" };
    const over = won ? [{ opacity: 1, transform: "scale(1.06) rotate(1deg)", offset: 0.7 }] : [];
    const entrance = move(title, [from, ...over, { opacity: 1, transform: "none" }], {
      duration: 560 * pace(),
      fill: "backwards",
      easing: "ease-out",
    });
    entrance.ready.then(reveal, reveal);
  }
  const swing = won ? ["-14deg", "10deg", "-5deg", "0deg"] : ["9deg", "-6deg", "3deg", "0deg"];
  for (const lamp of card.querySelectorAll(".ending-lamp")) {
    move(
      lamp,
      swing.map((rotate) => ({ rotate })),
      { duration: 1400 * pace(), easing: "ease-in-out" },
    );
  }
  for (const rays of card.querySelectorAll(".ending-rays")) {
    const frames = [
      { opacity: 0, transform: "scale(0.3) rotate(-40deg)" },
      { opacity: 1, transform: "scale(1.12) rotate(6deg)", offset: 0.6 },
      { opacity: 1, transform: "none" },
    ];
    move(rays, frames, { duration: 1100 * pace(), easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" });
  }
  [...card.querySelectorAll(".ending-spark")].forEach((spark, at, sparks) => {
    const turn = (2 * Math.PI * at) / sparks.length;
    const far = `translate(${34 * Math.cos(turn)}px, ${34 * Math.sin(turn) + 10}px)`;
    const frames = [
      { fillOpacity: 0, transform: "none" },
      {
        fillOpacity: 1,
        transform: `translate(${16 * Math.cos(turn)}px, ${16 * Math.sin(turn)}px)`,
        offset: 0.3,
      },
      { fillOpacity: 0, transform: far },
    ];
    move(spark, frames, { duration: 1000 * pace(), delay: 180 * pace(), easing: "ease-out" });
  });
}

function follow() {
  const result = document.getElementById("result");
  if (ended || !result || !heading()?.checkVisibility()) return; // during a story the result is hidden
  ended = true;
  document.dispatchEvent(new CustomEvent("spelunke:ended", { detail: result.dataset.mood }));
  if (moves()) celebrate(result);
  else reveal();
}

// Hide the line before a frame can show it, until its animation has begun. Begin the animation in the first frame that
// shows the result. A push ends only after this frame; a hidden page has no frames.
function prepare() {
  root.toggleAttribute("data-ending", !ended && heading() !== null && moves());
  requestAnimationFrame(follow);
}
const board = document.querySelector(".table-board");
if (board) new MutationObserver(prepare).observe(board, { childList: true });
afterPush(follow);
document.addEventListener("spelunke:told", follow);
