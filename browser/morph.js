// Lets htmx swap with Idiomorph: hx-swap="morph" (the element itself), hx-swap="morph:inner" (what is in it).
//
// htmx 4 has a morph of its own, and Idiomorph comes with a glue file for htmx 2. The first loses SVG pieces that change
// places, the second uses an interface that htmx 4 no longer has, and `new Function`, which the content policy forbids.
htmx.registerExtension("morph", {
  /**
   * @param {string} style
   * @param {Element} target
   * @param {DocumentFragment} fragment
   */
  handle_swap: (style, target, fragment) => {
    if (style !== "morph" && style !== "morph:inner") return false;
    /** @type {Set<Element>} */
    const rewired = new Set();
    const inner = style === "morph:inner";
    const held = target.contains(document.activeElement);
    const nodes = Idiomorph.morph(target, inner ? [...fragment.childNodes] : [...fragment.children], {
      morphStyle: inner ? "innerHTML" : "outerHTML",
      // Keep a text that somebody is typing. Don't keep the value of a focused button: it would have its old move under
      // a new label.
      ignoreActiveValue: Boolean(document.activeElement?.matches("input, textarea, select")),
      callbacks: {
        beforeNodeMorphed: (old) => !(old instanceof Element && old.hasAttribute("hx-morph-skip")),
        beforeAttributeUpdated: (name, node) => {
          if (name === "data-htmx-powered") return false; // htmx's own mark, which the server does not send
          if (name.startsWith("hx-")) rewired.add(node);
          return true;
        },
      },
    });
    // If the focused control is gone, move the focus to the place of the next controls, not to the top of the page.
    const lost = held && document.activeElement === document.body;
    const rest = lost ? document.querySelector("[data-rest]") : null;
    if (rest instanceof HTMLElement || rest instanceof SVGElement) rest.focus({ preventScroll: true });
    for (const node of rewired) if (node.isConnected) htmx.process(node, true);
    return nodes instanceof Promise ? nodes : [...nodes]; // a promise only for a whole document
  },
});
