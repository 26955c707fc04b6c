// The story: it shows recent events step by step. data-story is its name. Radio buttons (data-step) are its steps, and
// buttons (data-go) move between them. A story only changes the display. A move, a new decision, or while it runs a
// press on its picture (data-skips) skips to the end.
import { all, closest, deciderOf, find } from "./dom.js";
import { aroundMorph } from "./morphs.js";
import { moves, pace } from "./motion.js";
import { keep, read } from "./preferences.js";
import { setScene } from "./scenes.js";

const MOVE = "button[name=move]";
const root = document.documentElement;
let told = { name: "", at: 0, steps: 0 };
let timer = 0;
let replaying = false;
let decider = deciderOf(find("board", HTMLElement));

function storyOf() {
  const story = document.querySelector("[data-story]");
  return story instanceof HTMLElement ? story : null;
}

/** @param {HTMLElement} story */
const nameOf = (story) => story.dataset.story ?? "";

/** @param {HTMLElement} story */
const stepsOf = (story) => all("[data-step]", HTMLElement, story);

/**
 * Mark the steps after the shown one, choose the shown step's radio button, and scroll the list to this step. Scroll in
 * the next frame, because reading heights now would force an extra layout of the page.
 * @param {HTMLElement[]} steps
 */
function mark(steps) {
  for (const [k, step] of steps.entries()) step.classList.toggle("later", k > told.at);
  const step = steps[told.at];
  const radio = step?.querySelector("input");
  if (radio) radio.checked = true;
  requestAnimationFrame(() => {
    const list = step?.parentElement;
    if (step && list && list.scrollHeight > list.clientHeight) {
      const below = step.getBoundingClientRect().top - list.getBoundingClientRect().top;
      list.scrollTop += below - list.clientHeight / 2;
    }
  });
}

/**
 * Return how many steps of a story this device has shown. It is stored where people share a device: their page reloads
 * when a hand is opened or closed, perhaps in the middle of a story.
 * @param {string} story
 */
function seenOf(story) {
  const [name, steps] = read("told", "").split(" ");
  return name === story ? Number(steps) : 0;
}

/**
 * Show a step. Return the duration of its animation in milliseconds. On a shared device, also store it as shown.
 * @param {HTMLElement} story
 * @param {number} at
 * @param {boolean} [walking]
 */
function show(story, at, walking = false) {
  const steps = stepsOf(story);
  const end = steps.length - 1;
  told.at = Math.min(Math.max(at, 0), end);
  if (find("curtain", HTMLElement)) keep("told", `${told.name} ${Math.max(told.at + 1, seenOf(told.name))}`);
  mark(steps);
  story.dataset.at = String(told.at);
  for (const button of all("[data-go]", HTMLButtonElement, story)) {
    const way = button.dataset.go;
    if (way === "play") button.setAttribute("aria-pressed", String(timer !== 0));
    else button.disabled = told.at === (way === "first" || way === "previous" ? 0 : end);
  }
  return setScene(told.at, walking);
}

/**
 * Mark the page while a story runs, so that style sheets hide later changes. If a person plays it again, also mark this,
 * so that their buttons keep their place. At the end, send "spelunke:told".
 */
function note() {
  root.toggleAttribute("data-replaying", replaying && timer !== 0);
  const told = root.hasAttribute("data-telling") && timer === 0;
  root.toggleAttribute("data-telling", timer !== 0);
  if (told) document.dispatchEvent(new Event("spelunke:told"));
}

/**
 * Send "spelunke:telling" if steps are shown one by one: a story has begun (`fresh`) or grown.
 * @param {boolean} fresh
 */
const announce = (fresh) =>
  moves() && document.dispatchEvent(new CustomEvent("spelunke:telling", { detail: { fresh } }));

function stop() {
  clearTimeout(timer);
  timer = 0;
  replaying = false;
  note();
}

/**
 * Set the story and its shown step.
 * @param {HTMLElement} story
 * @param {number} at
 */
function turnTo(story, at) {
  told = { name: nameOf(story), at, steps: stepsOf(story).length };
}

/** Show a story from this step on. @param {HTMLElement} story @param {number} at */
function begin(story, at) {
  clearTimeout(timer);
  replaying = false;
  show(story, at);
  timer = setTimeout(play, 900 * pace());
  note();
}

/** @param {HTMLElement} story */
function finish(story) {
  stop();
  show(story, Number.POSITIVE_INFINITY);
  const whole = story.querySelector("[data-all]");
  if (whole instanceof HTMLInputElement) whole.checked = true;
}

/** Show the next step, and continue until the end. Until then, `timer` is never 0, so `note` reports no early end. */
function play() {
  const story = storyOf();
  if (!story) {
    stop();
    return;
  }
  clearTimeout(timer);
  if (told.at >= stepsOf(story).length - 1) {
    finish(story);
    return;
  }
  timer = 1;
  note();
  const walk = show(story, told.at + 1, true);
  timer = setTimeout(play, walk + 560 * pace());
}

/** @param {HTMLElement} story */
function playOrPause(story) {
  if (timer) {
    stop();
    show(story, told.at);
    return;
  }
  if (told.at >= stepsOf(story).length - 1) show(story, 0);
  replaying = true;
  play();
}

/**
 * Go to the step that a story's button leads to.
 * @param {HTMLElement} story
 * @param {string | undefined} where
 */
function go(story, where) {
  if (where === "play") {
    playOrPause(story);
    return;
  }
  stop();
  if (where === "next") show(story, told.at + 1, true);
  else if (where === "last") finish(story);
  else show(story, where === "first" ? 0 : told.at - 1);
}

/**
 * Return whether a seat is to decide now that was not before, and no new steps run. This person may not know that the
 * board shows an earlier step.
 * @param {HTMLElement} board
 */
function isAskedAnew(board) {
  const before = decider;
  decider = deciderOf(board);
  return decider !== "" && decider !== before && (!timer || replaying);
}

/**
 * Return whether the story's new steps are quiet, such as the end of an auction. They need no time of their own: the next
 * decision is shown beside them.
 * @param {HTMLElement} story
 */
const isQuiet = (story) =>
  stepsOf(story)
    .slice(told.steps)
    .every((one) => one.matches("[data-quiet]"));

/**
 * After an update, start a new story, or continue one that became longer. Otherwise show the present if it was shown or
 * if there is a new decision, else keep the shown step.
 * @param {HTMLElement} board
 */
function retell(board) {
  const story = storyOf();
  const asked = isAskedAnew(board);
  if (!story) {
    stop();
    return;
  }
  const steps = stepsOf(story).length;
  const fresh = nameOf(story) !== told.name;
  const grown = !fresh && steps > told.steps;
  const ended = !fresh && told.at >= told.steps - 1 && !timer;
  // New steps follow from the last ones: a person who has paused at an earlier step would see an old board beside them.
  const paused = grown && !timer;
  const quiet = paused && isQuiet(story);
  turnTo(story, fresh ? 0 : paused ? told.steps - 1 : told.at);
  if (!moves() || root.hasAttribute("data-jumps") || (!fresh && !grown && (ended || asked))) {
    finish(story);
  } else if (fresh) {
    begin(story, 0);
  } else if (quiet) {
    show(story, steps - 1, true);
  } else {
    show(story, told.at);
    if (paused) play();
  }
  if ((fresh || grown) && !quiet) announce(fresh);
}

document.addEventListener("click", (event) => {
  const story = storyOf();
  const button = closest(event.target, "[data-go]", HTMLElement);
  if (story && button) go(story, button.dataset.go);
  else if (story && closest(event.target, timer ? `${MOVE}, [data-skips]` : MOVE, Element)) finish(story);
});
document.addEventListener("change", (event) => {
  const story = closest(event.target, "[data-story]", HTMLElement);
  if (!story) return;
  stop();
  if (event.target instanceof Element && event.target.matches("[data-all]")) finish(story);
  const step = closest(event.target, "[data-step]", HTMLElement);
  if (step) show(story, Number(step.dataset.step), true);
});

// Esc leads back to the newest step (keys.js).
document.addEventListener("spelunke:unpick", (event) => {
  const story = storyOf();
  if (!story || told.at >= stepsOf(story).length - 1) return;
  event.preventDefault();
  finish(story);
});

// A newly opened page shows the present state. But if people share the device, and no hand is open, it first shows the
// steps that the device has not shown: the page also reloads when a hand closes because its person has acted. The next
// decision may need no hand, for example whether to rob a captain.
const opened = storyOf();
if (opened) {
  turnTo(opened, 0);
  const seen = seenOf(told.name);
  const together = document.querySelector(".table-board :is(.curtain, .curtain-line.lifted)");
  if (together && seen < told.steps && moves()) {
    begin(opened, Math.max(seen - 1, 0));
    announce(true);
  } else {
    finish(opened);
  }
}
root.toggleAttribute("data-opened", true); // from now on, a summary is hidden only during the story
aroundMorph(() => retell);
