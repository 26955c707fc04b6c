// Comforts only: every page works without this file. It holds no rule and no state of a game.
(() => {
  "use strict";

  // ---- the log only grows: lines that are there already (after a lost connection) are not shown twice ----
  window.htmx?.registerExtension("grow", {
    handle_swap: (style, target, fragment) => {
      if (style !== "grow") return false;
      const fresh = [...fragment.children].filter((line) => !document.getElementById(line.id));
      target.append(...fresh);
      return fresh.length ? fresh : [target];
    },
  });

  // ---- preferences of this device ----
  const read = (name, fallback) => {
    try { return localStorage.getItem("spelunke." + name) ?? fallback; } catch { return fallback; }
  };
  const keep = (name, value) => {
    try { localStorage.setItem("spelunke." + name, value); } catch { /* private windows keep nothing */ }
  };
  const root = document.documentElement;
  const prefer = () => { // boards bring boxes of their own, and bring them anew
    for (const box of document.querySelectorAll("[data-preference]")) {
      const name = box.dataset.preference;
      if (box.type === "checkbox") {
        box.checked = read(name, box.checked ? "on" : "off") === "on";
        root.toggleAttribute("data-" + name, box.checked);
      } else {
        const kept = read(name, box.value);
        if ([...box.options].some((option) => option.value === kept)) box.value = kept;
        root.setAttribute("data-" + name, box.value);
      }
      box.closest("[data-comfort], label[hidden]")?.removeAttribute("hidden");
    }
    root.toggleAttribute("data-still", root.dataset.speed === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches);
  };
  prefer();
  document.addEventListener("change", (event) => {
    const box = event.target;
    const name = box.dataset?.preference;
    if (name) { keep(name, box.type !== "checkbox" ? box.value : box.checked ? "on" : "off"); prefer(); }
  });

  // ---- a push that comes while somebody drags waits for the end of it ----
  let drop = null; // ends the promise that pushes wait for
  let dropped = null;
  let held = false; // whether one did wait
  const beginDrag = () => {
    if (drop) return;
    dropped = new Promise((resolve) => { drop = resolve; });
    const safety = setTimeout(endDrag, 30000); // the end of a drag can get lost outside of the window
    dropped.then(() => clearTimeout(safety));
  };
  const endDrag = () => { drop?.(); drop = null; };
  document.addEventListener("htmx:sse:before:message", (event) => {
    if (drop) { held = true; event.detail.waitUntil(dropped); }
  });
  let lastPush = 0;
  document.addEventListener("htmx:sse:after:message", () => { lastPush = performance.now(); });
  const caughtUp = async () => { // what was held back is on the page now: it comes at once, one after the other
    const since = performance.now();
    for (let patience = 40; held && patience; patience -= 1) {
      await new Promise((next) => setTimeout(next, 25));
      if (lastPush > since && performance.now() - lastPush > 50) break;
    }
    held = false;
  };

  // ---- a list in an order of one's own (data-sortable, its items data-card): dragged, or Alt and the arrow keys ----
  // Only while a control with data-sort="own" is chosen. The order is CSS, so that a push never fights with it, and
  // it is kept for this device; what is new comes last.
  const choice = (list) => list.closest("section")?.querySelector("[data-sort]:checked")?.dataset.sort;
  const orderOf = (list) => read(list.dataset.sortable, "").split(" ").filter(Boolean);
  const arrange = () => {
    for (const list of document.querySelectorAll("[data-sortable]")) {
      const way = read(list.dataset.sortable + ".way", "");
      const radio = way && list.closest("section")?.querySelector(`[data-sort="${way}"]`);
      if (radio && !list.dataset.met) radio.checked = true;
      list.dataset.met = "yes";
      const own = choice(list) === "own";
      list.toggleAttribute("data-own", own);
      const known = orderOf(list);
      for (const item of list.children) {
        const place = known.indexOf(item.dataset.card);
        item.style.order = own ? (place < 0 ? known.length : place) : "";
      }
    }
  };
  const shown = (list) => [...list.children].sort((a, b) => (Number(a.style.order) || 0) - (Number(b.style.order) || 0));
  const moveTo = (list, item, place) => {
    const cards = shown(list).filter((other) => other !== item);
    cards.splice(Math.max(0, place), 0, item);
    keep(list.dataset.sortable, cards.map((other) => other.dataset.card).join(" "));
    arrange();
  };
  document.addEventListener("change", (event) => {
    const list = event.target.dataset?.sort && event.target.closest("section")?.querySelector("[data-sortable]");
    if (!list) return;
    keep(list.dataset.sortable + ".way", event.target.dataset.sort);
    if (event.target.dataset.sort === "own" && !orderOf(list).length) { // an order of one's own begins with what is seen
      const seen = [...list.children].sort((a, b) => Number(getComputedStyle(a).order) - Number(getComputedStyle(b).order));
      keep(list.dataset.sortable, seen.map((item) => item.dataset.card).join(" "));
    }
    arrange();
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const item = event.altKey && step && event.target.closest?.("[data-own] > [data-card]");
    if (!item) return;
    event.preventDefault();
    moveTo(item.parentElement, item, shown(item.parentElement).indexOf(item) + step);
    item.querySelector("input")?.focus();
  });
  let lifted = null;
  document.addEventListener("pointerdown", (event) => {
    const item = event.button === 0 && event.target.closest?.("[data-own] > [data-card]");
    if (item) lifted = { item, x: event.clientX, y: event.clientY, far: false };
  });
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-card]");
  document.addEventListener("pointermove", (event) => {
    if (!lifted) return;
    lifted.far ||= Math.hypot(event.clientX - lifted.x, event.clientY - lifted.y) > 8;
    if (!lifted.far) return;
    beginDrag();
    lifted.item.classList.add("lifted");
    for (const item of lifted.item.parentElement.children) item.classList.toggle("before", item === under(event) && item !== lifted.item);
  });
  document.addEventListener("pointerup", (event) => {
    const done = lifted;
    lifted = null;
    if (!done?.far) return;
    setTimeout(endDrag); // after the order is kept
    const list = done.item.parentElement;
    const goal = under(event);
    for (const item of list.children) item.classList.remove("lifted", "before");
    if (goal && goal !== done.item && goal.parentElement === list) {
      moveTo(list, done.item, shown(list).filter((other) => other !== done.item).indexOf(goal));
    }
    list.addEventListener("click", (click) => click.preventDefault(), { once: true, capture: true });
    setTimeout(() => list.dispatchEvent(new Event("click", { cancelable: true })), 0);
  });
  document.addEventListener("pointercancel", () => {
    for (const item of lifted?.item.parentElement.children ?? []) item.classList.remove("lifted", "before");
    lifted = null;
    endDrag();
  });
  arrange();
  document.addEventListener("htmx:sse:after:message", () => { prefer(); arrange(); });

  // ---- copying a link ----
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      field.select();
      try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
      button.textContent = button.dataset.done;
    });
  }

  // ---- what somebody has opened or closed (data-kept) stays so when it is drawn anew ----
  const unfolded = new Map();
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("details[data-kept]") && event.target.isConnected) unfolded.set(event.target.id, event.target.open);
  }, { capture: true });
  document.addEventListener("htmx:sse:after:message", () => {
    for (const [id, open] of unfolded) {
      const details = document.getElementById(id);
      if (details && details.open !== open) details.open = open;
    }
  });

  // ---- times of day as they are here: the house only knows its own ----
  const localize = () => {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const text = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      if (text !== time.textContent) time.textContent = text;
    }
  };
  localize();
  document.addEventListener("htmx:sse:after:message", localize);

  // ---- a share in chance made here, so that the house can't have chosen it; it is given by itself after a moment, ----
  // ---- unless somebody is about to type one of their own ----
  let giving;
  const shareChance = () => {
    const form = document.getElementById("nonce");
    const field = document.getElementById("nonce-field");
    if (!form || form.dataset.given === "true") return;
    if (!field.value && field !== document.activeElement) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    giving ??= setTimeout(() => {
      giving = undefined;
      const now = document.getElementById("nonce");
      if (now && now.dataset.given !== "true" && document.activeElement?.id !== "nonce-field") now.requestSubmit();
    }, 1200);
  };
  shareChance();

  // ---- the rest is for the page of a table ----
  const stream = document.getElementById("stream");
  if (!stream) return;
  const connection = document.getElementById("connection");
  const title = document.title;
  let live = false;

  const show = (state) => {
    live = state === "live";
    connection.dataset.state = state;
    connection.textContent = connection.dataset[state];
  };
  document.addEventListener("htmx:sse:after:connection", () => show("live"));
  document.addEventListener("htmx:sse:error", () => show("wait"));
  document.addEventListener("htmx:sse:before:connection", (event) => {
    if (event.detail.connection.attempt > 0) show("wait");
  });
  document.addEventListener("htmx:sse:close", () => show("lost"));
  document.addEventListener("htmx:error", () => { if (!live) show("lost"); });
  const trouble = document.getElementById("trouble");
  document.addEventListener("htmx:response:error", (event) => {
    if (event.detail.ctx.request.method === "POST") trouble.innerHTML = event.detail.ctx.text;
  });
  // Without a stream an accepted act would not be seen: then the page itself is fetched anew.
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.request.method !== "POST" || ctx.response.status >= 300) return;
    trouble.textContent = "";
    if (!live) location.reload();
  });

  // ---- clocks count down between two pushes ----
  const two = (number) => String(number).padStart(2, "0");
  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-until]")) {
      const left = Math.max(0, Math.round(Number(clock.dataset.until) - Date.now() / 1000));
      const hours = Math.floor(left / 3600);
      const text = hours ? `${hours}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}` : `${Math.floor(left / 60)}:${two(left % 60)}`;
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", left < 30);
    }
  }, 500);

  // ---- whose turn it is, in the title; a hidden tab lets its stream go and asks now and then ----
  const asked = () => document.getElementById("turn")?.dataset.mine === "true";
  const tell = (mine) => { document.title = (mine ? "● " : "") + title; };
  let was = asked();
  tell(was);
  let sounds;
  const ring = () => {
    if (read("sound", "on") !== "on") return;
    try {
      sounds ??= new AudioContext();
      const tone = sounds.createOscillator();
      const volume = sounds.createGain();
      tone.type = "triangle";
      tone.frequency.setValueAtTime(660, sounds.currentTime);
      tone.frequency.exponentialRampToValueAtTime(440, sounds.currentTime + 0.25);
      volume.gain.setValueAtTime(0.12, sounds.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.4);
      tone.connect(volume).connect(sounds.destination);
      tone.start();
      tone.stop(sounds.currentTime + 0.4);
    } catch { /* a browser may forbid sound until the page was touched */ }
  };
  const notice = (mine) => { tell(mine); if (mine && !was) ring(); was = mine; };
  const pinned = (list) => { list.scrollTop = list.scrollHeight; };
  for (const list of document.querySelectorAll("[data-pin]")) pinned(list);
  document.addEventListener("htmx:sse:after:message", () => {
    notice(asked());
    shareChance();
    for (const list of document.querySelectorAll("[data-pin]")) {
      if (list.dataset.count !== String(list.children.length)) pinned(list);
      list.dataset.count = String(list.children.length);
    }
  });
  document.addEventListener("change", (event) => { // the whole log ends where the short one does
    const log = event.target.closest?.(".log-more")?.parentElement.querySelector("[data-pin]");
    if (log) pinned(log);
  });

  // ---- how it ended comes above the board: it is shown to who looks elsewhere, unless somebody is typing ----
  const outcome = () => document.getElementById("result-title");
  let ended = Boolean(outcome());
  document.addEventListener("htmx:sse:after:message", () => {
    if (ended || !outcome()) return;
    ended = true;
    if (document.activeElement?.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
    const box = outcome().getBoundingClientRect();
    const hidden = document.querySelector(".table-head")?.getBoundingClientRect().bottom ?? 0;
    if (box.top >= Math.max(0, hidden) && box.bottom <= innerHeight) return;
    outcome().parentElement.scrollIntoView({ behavior: root.hasAttribute("data-still") ? "auto" : "smooth", block: "start" });
  });
  setInterval(async () => {
    if (!document.hidden) return;
    try {
      const answer = await fetch(stream.dataset.turn, { headers: { Accept: "application/json" } });
      if (answer.ok) notice((await answer.json()).mine);
    } catch { /* the next time, then */ }
  }, 20000);

  // ---- dragging: a piece (data-drag) dropped on a lit button (data-drop) presses that button ----
  // A radio button inside the piece is chosen as the drag begins, so its targets light up; a piece that is a button
  // itself only fits where its own move lies. Clicking and the keyboard do the same without this.
  const far = 8;
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const piece = event.button === 0 && event.target.closest?.("[data-drag]");
    if (piece) drag = { piece, x: event.clientX, y: event.clientY, ghost: null, move: piece.value };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.ghost) {
      if (Math.hypot(dx, dy) < far) return;
      const box = drag.piece.getBoundingClientRect();
      const radio = drag.piece.querySelector("input[type=radio]");
      if (radio) radio.checked = true;
      beginDrag();
      drag.ghost = drag.piece.querySelector("svg").cloneNode(true);
      drag.ghost.classList.add("drag-ghost");
      Object.assign(drag.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
      document.body.append(drag.ghost);
    }
    drag.ghost.style.translate = `${dx}px ${dy}px`;
  });
  const letGo = (event, over) => {
    const done = drag;
    drag = null;
    if (!done?.ghost) return;
    done.ghost.remove();
    // The click that may follow the end of a drag is not a click on the piece.
    const eaten = new AbortController();
    const eat = (click) => { click.preventDefault(); click.stopPropagation(); };
    document.addEventListener("click", eat, { capture: true, signal: eaten.signal });
    const aim = over && document.elementFromPoint(event.clientX, event.clientY)?.closest("button[data-drop]");
    setTimeout(async () => {
      eaten.abort();
      endDrag();
      await caughtUp();
      // The board may have changed meanwhile: the move is made if it still can be.
      const target = aim?.isConnected ? aim : aim && document.querySelector(`button[data-drop][value="${CSS.escape(aim.value)}"]`);
      if (target && (!done.move || target.value === done.move)) target.click();
    });
  };
  document.addEventListener("pointerup", (event) => letGo(event, true));
  document.addEventListener("pointercancel", (event) => letGo(event, false));
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-drag]")) event.preventDefault(); });

  // ---- the message that was sent leaves its field ----
  document.addEventListener("htmx:after:request", (event) => {
    const form = event.target.closest?.("form.chat-form");
    if (form && event.detail.ctx.response.status < 300) form.reset();
  });
})();
