// An htmx extension that updates elements with Idiomorph: it changes only the parts that differ. hx-swap="morph"
// replaces the element itself, and hx-swap="morph:inner" its content.
//
// htmx 4 has its own morph swap, but loses SVG pieces that change places. Idiomorph has an extension for htmx 2, but
// this uses an interface that htmx 4 no longer has, and `new Function`, which the content policy forbids.
const FIELDS = "input, textarea, select";

/**
 * Return whether a morph may skip an element, because it equals the new one. Fields are always morphed: a person may
 * have changed their values, which this comparison does not see.
 * @param {Node} old
 * @param {Node} now
 */
const unchanged = (old, now) =>
  old instanceof Element && old.isEqualNode(now) && !old.matches(FIELDS) && !old.querySelector(FIELDS);

htmx.registerExtension("morph", {
  /**
   * Swap the fragment into the target. Return false for swap styles of other extensions.
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
      // Keep a text that the person is typing. Don't keep the value of a focused button: the button would have its old
      // move with a new label.
      ignoreActiveValue: Boolean(document.activeElement?.matches("input, textarea, select")),
      callbacks: {
        beforeNodeMorphed: (old, now) =>
          !(old instanceof Element && old.hasAttribute("hx-morph-skip")) && !unchanged(old, now),
        beforeAttributeUpdated: (name, node) => {
          if (name === "data-htmx-powered") return false; // htmx's own mark, which the server does not send
          if (name.startsWith("hx-")) rewired.add(node);
          return true;
        },
      },
    });
    // If the focused control is gone, the browser has moved the focus to the body. Move it near the next controls, in
    // the next frame: a focus needs a layout of the page, and the frame makes one anyway.
    const refocus = () => {
      const rest = document.activeElement === document.body ? document.querySelector("[data-rest]") : null;
      if (rest instanceof HTMLElement || rest instanceof SVGElement) rest.focus({ preventScroll: true });
    };
    if (held && document.hidden) refocus();
    else if (held && document.activeElement === document.body) requestAnimationFrame(refocus);
    for (const node of rewired) if (node.isConnected) htmx.process(node, true);
    return nodes instanceof Promise ? nodes : [...nodes]; // a promise only for a whole document
  },
});
