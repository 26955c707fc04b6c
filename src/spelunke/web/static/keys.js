// Plain keys and the confirm step. Both are comforts: every control works without them.
(() => {
  "use strict";
  const root = document.documentElement;
  const visible = (control) => control.getClientRects().length > 0 && !control.disabled;
  const covered = () => Boolean(document.querySelector("dialog[open], [popover]:popover-open"));

  // ---- the confirm step: a move waits until it is confirmed ----
  // Always where the player wants it (the preference "confirm"), and for keys of controls with data-hold: a slip of
  // the finger on "4" must not lay a card. What can't wait carries data-now.
  const bar = document.getElementById("confirm");
  const moves = () => [...document.querySelectorAll('#act button[name="move"]')];
  let held = null; // the move that waits
  let sure = false;
  const mark = () => {
    for (const button of moves()) button.classList.toggle("held", button.value === held);
  };
  const forget = () => {
    if (held === null) return;
    const button = moves().find((one) => one.value === held);
    const back = bar.contains(document.activeElement);
    held = null;
    bar.hidden = true;
    mark();
    if (back) button?.focus({ preventScroll: true });
  };
  const hold = (button) => {
    held = button.value;
    document.getElementById("confirm-what").textContent = button.getAttribute("aria-label") || button.textContent.trim();
    bar.hidden = false;
    mark();
    bar.querySelector("[data-confirm=yes]").focus({ preventScroll: true });
  };
  bar?.addEventListener("click", (event) => {
    const answer = event.target.closest("[data-confirm]")?.dataset.confirm;
    if (answer === "no") forget();
    if (answer !== "yes") return;
    const button = moves().find((one) => one.value === held && !one.disabled);
    forget();
    if (!button) return;
    sure = true;
    try { button.click(); } finally { sure = false; }
  });
  document.addEventListener("click", (event) => {
    const button = bar && !sure && root.hasAttribute("data-confirm") && event.target.closest?.('#act button[name="move"]');
    if (!button || "now" in button.dataset) return;
    if (button.value === held) { forget(); return; } // pressed twice is confirmed
    event.preventDefault();
    event.stopImmediatePropagation();
    hold(button);
  }, { capture: true });
  // A push may have taken the move away, or brought its button anew.
  document.addEventListener("htmx:sse:after:message", () => {
    if (held !== null && !moves().some((one) => one.value === held)) forget();
    mark();
  });

  // ---- plain keys: the first visible control whose data-key lists the key is pressed ----
  const keysOf = (control) => (control.dataset.key ?? control.accessKey ?? "").toLowerCase().split(" ");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing || event.defaultPrevented) return;
    const at = event.target;
    if (at.closest?.("textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]")) return;
    const key = event.key.toLowerCase();
    if ((key === "enter" || key === " ") && at.closest?.("a, button, summary, label, input")) return; // it means that control
    if (key.startsWith("arrow") && at.closest?.("input")) return;
    if (covered()) return;
    if (key === "escape" && held !== null) { forget(); return; }
    if (!root.hasAttribute("data-keys")) return;
    const control = [...document.querySelectorAll("[data-key], #board button[accesskey]")].find(
      (one) => keysOf(one).includes(key) && visible(one),
    );
    if (!control) return;
    event.preventDefault();
    if ("hold" in control.dataset && bar) hold(control);
    else control.click();
  });
})();
