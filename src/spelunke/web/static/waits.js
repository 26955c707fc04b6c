// The time that everybody sees the table wait: [data-pause] is how long in all, [data-left] what was left when it was
// drawn (milliseconds). The number counts down; the ring shrinks where movement is wanted.
(() => {
  "use strict";
  const still = () => document.documentElement.hasAttribute("data-still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const known = new WeakMap();
  const tick = () => {
    for (const wait of document.querySelectorAll("[data-pause]")) {
      const { pause: whole, left } = wait.dataset;
      let state = known.get(wait);
      if (state?.left !== left) {
        state?.motion?.cancel();
        const ring = wait.querySelector("[data-ring]");
        const from = String(-100 * (1 - Number(left) / Number(whole)));
        const frames = [{ strokeDashoffset: from }, { strokeDashoffset: "-100" }];
        const motion = ring && !still() ? ring.animate(frames, { duration: Number(left), fill: "forwards" }) : null;
        state = { left, motion, until: performance.now() + Number(left) };
        known.set(wait, state);
      }
      const seconds = wait.querySelector("[data-seconds]");
      const text = String(Math.max(0, Math.ceil((state.until - performance.now()) / 1000)));
      if (seconds && seconds.textContent !== text) seconds.textContent = text;
    }
  };
  tick();
  setInterval(tick, 100);
  document.addEventListener("htmx:sse:after:message", tick);
})();
