// What follows while somebody fills in the board's form without sending it: boxes and texts within [data-draft] are
// given to the server, which draws what they come to. No rule is here, and the server keeps nothing of it.
(() => {
  "use strict";
  const form = document.getElementById("act");
  if (!form) return;
  const fields = () => form.querySelectorAll("[data-draft] input[name], textarea[data-draft]");
  const live = () => document.getElementById("connection")?.dataset.state === "live";

  // ---- asking: once at a time, and again if something has changed meanwhile ----
  let timer = 0;
  let asking = false;
  let again = false;
  const ask = async () => {
    const source = form.querySelector("[data-draft]");
    if (!source || !live()) return;
    if (asking) { again = true; return; }
    asking = true;
    try {
      await window.htmx.ajax("POST", form.action.replace(/\/act$/, "/draft"), { source, swap: "none", values: { draft: "live" } });
    } finally {
      asking = false;
      if (again) { again = false; ask(); }
    }
  };
  const soon = (ms) => { clearTimeout(timer); timer = setTimeout(ask, ms); };

  // ---- what is picked or written outlives a push: the server does not know of it ----
  const picked = new Set();
  const written = new Map();
  const note = (field) => {
    if (field.type !== "checkbox") written.set(field.name, field.value);
    else if (field.checked) picked.add(field.value);
    else picked.delete(field.value);
  };
  const count = () => { // whether one is picked or several, for the style sheets
    for (const list of form.querySelectorAll("[data-draft]")) {
      const several = list.querySelectorAll("input:checked").length > 1;
      if (several !== list.hasAttribute("data-several")) list.toggleAttribute("data-several", several);
    }
  };
  const ours = (target) => [...fields()].includes(target);
  document.addEventListener("change", (event) => {
    if (!ours(event.target)) return;
    note(event.target);
    count();
    soon(60);
  });
  document.addEventListener("input", (event) => {
    if (event.target.tagName !== "TEXTAREA" || !ours(event.target)) return;
    note(event.target);
    soon(350);
  });
  form.addEventListener("submit", (event) => { // what is sent is no draft any more
    if (event.submitter?.name === "standing") written.clear();
  });
  let boxes = 0;
  const restore = () => {
    const here = new Set();
    let changed = false;
    const now = form.querySelectorAll("[data-draft] input[type=checkbox]").length;
    if (now < boxes) picked.clear(); // what was picked has been played
    boxes = now;
    for (const field of fields()) {
      if (field.type === "checkbox") {
        here.add(field.value);
        if (picked.has(field.value) && !field.checked) { field.checked = true; changed = true; }
      } else if (written.has(field.name) && field.value !== written.get(field.name)) {
        field.value = written.get(field.name);
        changed = true;
      }
    }
    for (const value of picked) if (!here.has(value)) picked.delete(value);
    if (changed) soon(0);
  };

  // ---- what somebody has opened or closed stays so ----
  const opened = new Map();
  document.addEventListener("click", (event) => {
    const details = event.target.closest?.("summary")?.parentElement;
    if (details?.id && form.contains(details)) opened.set(details.id, !details.open);
  });
  const reopen = () => {
    for (const [id, open] of opened) {
      const details = document.getElementById(id);
      if (details && details.open !== open) details.open = open;
    }
  };
  for (const name of ["htmx:sse:after:message", "htmx:after:swap"]) {
    document.addEventListener(name, () => { restore(); count(); reopen(); });
  }

  // ---- Enter in a field presses the button that belongs to it ----
  document.addEventListener("keydown", (event) => {
    const button = event.key === "Enter" && document.getElementById(event.target.dataset?.enter ?? "");
    if (!button) return;
    event.preventDefault();
    button.click();
  });
})();
