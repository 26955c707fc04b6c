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
      // What somebody is typing is theirs. A button's value is not: left alone, the button that was pressed last
      // would keep its old move under its new face.
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
    // The control that had the focus may be gone: the focus then rests where the next ones will be, not at the page's top.
    const lost = held && document.activeElement === document.body;
    const rest = lost ? document.querySelector("[data-rest]") : null;
    if (rest instanceof HTMLElement || rest instanceof SVGElement) rest.focus({ preventScroll: true });
    for (const node of rewired) if (node.isConnected) htmx.process(node, true);
    return nodes instanceof Promise ? nodes : [...nodes]; // a promise only for a whole document
  },
});
