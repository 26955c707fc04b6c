// Movement between two boards, and the story of what happened, step by step. It changes nothing but looks, and is off
// where movement is not wanted.
(() => {
  "use strict";
  const root = document.documentElement;
  const still = () => root.hasAttribute("data-still") || document.hidden;
  const pace = () => (root.dataset.speed === "quick" ? 0.4 : 1);
  const glide = "cubic-bezier(0.3, 0.1, 0.25, 1)";
  const ours = new Set(); // what is moving now
  const move = (element, frames, options) => {
    const motion = element.animate(frames, options);
    ours.add(motion);
    motion.onfinish = motion.oncancel = () => ours.delete(motion);
    return motion;
  };

  const fly = (piece, from) => { // from a box on the screen to where it lies
    const to = piece.getBoundingClientRect();
    if (!to.width) return;
    const dx = from.left + from.width / 2 - to.left - to.width / 2;
    const dy = from.top + from.height / 2 - to.top - to.height / 2;
    const start = `translate(${dx}px, ${dy}px) scale(${from.width / to.width})`;
    move(piece, [{ transform: start, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: 520 * pace(), easing: glide });
  };

  // ---- quicker, and to be skipped: a press anywhere ends what is moving ----
  document.addEventListener("animationstart", (event) => {
    if (pace() === 1) return;
    for (const motion of event.target.getAnimations()) {
      if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.playbackRate = 1 / pace();
    }
  });
  const skip = () => { for (const motion of [...ours]) motion.finish(); };
  document.addEventListener("pointerdown", skip);
  document.addEventListener("keydown", skip);

  // ---- slides: what is new on the board (an id that was not there, with data-from) comes from where it was ----
  // data-from lists names of places (data-piece of the board before), the likeliest first.
  const places = (board) => {
    const found = new Map();
    for (const piece of board.querySelectorAll("[data-piece]")) {
      const box = piece.getBoundingClientRect();
      if (box.width) found.set(piece.dataset.piece, box);
    }
    return found;
  };
  const slide = (board, before, known) => {
    for (const piece of board.querySelectorAll("[data-from]")) {
      if (known.has(piece.id)) continue;
      const from = piece.dataset.from.split(" ").map((name) => before.get(name)).find(Boolean);
      if (from) fly(piece, from);
    }
  };

  // ---- a story: [data-story] names it, its radio buttons are its steps ----
  // Elsewhere on the board, data-joins="k" is there from step k on, data-leaves="k" was there before step k, and a
  // figure with data-track="k=x,y x,y|…" walks through those points at step k (the last point is where it stands then).
  // A move, or a press on the picture that tells it (data-skips), goes to its end.
  // What leaves one place and joins another at a step (the same data-who) flies from there to here.
  let told = { name: "", at: 0, steps: 0 };
  let timer = 0;
  const storyOf = () => document.querySelector("[data-story]");
  const stepsOf = (story) => [...story.querySelectorAll("[data-step]")];
  const readTrack = (figure) => figure.dataset.track.split("|").map((part) => {
    const [step, points] = part.split("=");
    return { step: Number(step), points: points.split(" ").map((point) => point.split(",").map(Number)) };
  });
  const standAt = (figure, at) => {
    const track = readTrack(figure);
    const last = track.filter((part) => part.step <= at).at(-1);
    return last ? last.points.at(-1) : track[0].points[0];
  };
  const put = (at, walking) => { // shows the board as it was after step `at`; how long the walk there takes
    const board = document.getElementById("board");
    const moving = walking && !still();
    const going = moving ? [...board.querySelectorAll(`[data-leaves="${at}"][data-who]`)] : [];
    const left = new Map(going.map((one) => [one.dataset.who, one.getBoundingClientRect()]));
    for (const one of board.querySelectorAll("[data-joins], [data-leaves]")) {
      const { joins: since = -1, leaves: until = Infinity } = one.dataset;
      one.classList.toggle("yet", at < Number(since) || at >= Number(until));
      one.classList.toggle("then", at >= Number(since) && at < Number(until));
    }
    let longest = 0;
    for (const one of moving ? board.querySelectorAll(`[data-joins="${at}"][data-who]`) : []) {
      if (one instanceof HTMLElement && left.has(one.dataset.who)) { fly(one, left.get(one.dataset.who)); longest = 300 * pace(); }
    }
    for (const figure of board.querySelectorAll("[data-track]")) {
      const [x, y] = standAt(figure, at);
      figure.setAttribute("transform", `translate(${x} ${y})`);
      const now = moving && readTrack(figure).find((part) => part.step === at);
      if (!now) continue;
      const duration = Math.min(1500, 170 * (now.points.length - 1)) * pace();
      longest = Math.max(longest, duration);
      move(figure, now.points.map(([px, py]) => ({ transform: `translate(${px}px, ${py}px)` })), { duration, easing: "linear" });
    }
    return longest;
  };
  const show = (story, at, walking = false) => {
    const steps = stepsOf(story);
    const end = steps.length - 1;
    told.at = Math.min(Math.max(at, 0), end);
    steps.forEach((step, k) => {
      step.classList.toggle("later", k > told.at);
    });
    steps[told.at].querySelector("input").checked = true;
    story.dataset.at = String(told.at);
    for (const button of story.querySelectorAll("[data-go]")) {
      const back = button.dataset.go === "first" || button.dataset.go === "previous";
      if (button.dataset.go !== "play") button.disabled = back ? told.at === 0 : told.at === end;
      else button.setAttribute("aria-pressed", String(timer !== 0));
    }
    const list = steps[told.at]?.parentElement;
    if (list && list.scrollHeight > list.clientHeight) list.scrollTop = steps[told.at].offsetTop - list.offsetTop - list.clientHeight / 2;
    return put(told.at, walking);
  };
  const stop = () => { clearTimeout(timer); timer = 0; };
  const play = () => { // goes on from the step that is shown
    stop();
    const story = storyOf();
    if (!story || told.at >= stepsOf(story).length - 1) {
      if (story) finish(story);
      return;
    }
    timer = 1;
    const walk = show(story, told.at + 1, true);
    timer = setTimeout(play, walk + 560 * pace());
  };
  const finish = (story) => {
    stop();
    show(story, Infinity);
    const all = story.querySelector("[data-all]");
    if (all) all.checked = true;
  };
  const go = (where) => {
    const story = storyOf();
    if (!story) return;
    const end = stepsOf(story).length - 1;
    if (where === "play") {
      if (timer) { stop(); show(story, told.at); return; }
      if (told.at >= end) show(story, 0);
      play();
      return;
    }
    stop();
    if (where === "next") show(story, told.at + 1, true);
    else if (where === "last") finish(story);
    else show(story, where === "first" ? 0 : told.at - 1);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-go]");
    if (button) go(button.dataset.go);
    else if (timer && event.target.closest?.("button[name=move], [data-skips]")) finish(storyOf());
  });
  document.addEventListener("change", (event) => {
    const story = event.target.closest?.("[data-story]");
    if (!story) return;
    stop();
    if (event.target.matches("[data-all]")) finish(story);
    const step = event.target.closest("[data-step]");
    if (step) show(story, Number(step.dataset.step), true);
  });
  // After a push: a new story begins at its first step, one that has grown goes on, and one that is being looked at stays.
  const retell = () => {
    const story = storyOf();
    if (!story) { stop(); return; }
    const name = story.dataset.story;
    const steps = stepsOf(story).length;
    const fresh = name !== told.name;
    const grown = !fresh && steps > told.steps && told.at === told.steps - 1;
    const ended = !fresh && !timer && told.at >= told.steps - 1;
    const from = fresh ? 0 : told.at;
    told = { name, at: from, steps };
    if (still() || (ended && !grown)) finish(story);
    else if (fresh) { stop(); show(story, 0); timer = setTimeout(play, 900 * pace()); }
    else if (grown && !timer) { show(story, from); play(); }
    else show(story, from);
  };
  const begin = storyOf();
  if (begin) { // the page as it is opened shows how things stand
    told = { name: begin.dataset.story, at: 0, steps: stepsOf(begin).length };
    finish(begin);
  }

  // ---- both are done around each morph, before anything is painted ----
  if (!window.Idiomorph) return;
  const morph = Idiomorph.morph;
  Idiomorph.morph = (target, ...rest) => {
    const board = target.id === "board";
    const moving = board && !still();
    const before = moving ? places(target) : null;
    const known = moving ? new Set([...target.querySelectorAll("[data-from]")].map((piece) => piece.id)) : null;
    const nodes = morph.call(Idiomorph, target, ...rest);
    if (board) {
      const now = document.getElementById("board");
      if (moving) slide(now, before, known);
      retell();
    }
    return nodes;
  };
})();
