// The script of a worker that runs the playouts of an analysis (own-analysis.js), so that the page stays responsive.
import { Engine } from "./engine.js";
import { workOff } from "./judging.js";

/** @typedef {{ module: string, plan: string }} Wish */
/** @typedef {{ share?: number, results?: ArrayBuffer, problem?: string }} Told */
// The types of workers conflict with those of pages.
const worker =
  /** @type {{ postMessage: (told: Told) => void, addEventListener: (type: "message", listener: (event: MessageEvent<Wish>) => void) => void }} */ (
    /** @type {unknown} */ (self)
  );

worker.addEventListener("message", async ({ data: { module, plan } }) => {
  try {
    const [rules, answer] = await Promise.all([Engine.load(module), fetch(plan)]);
    if (!answer.ok) throw new Error(`${answer.url} was answered by ${answer.status}`);
    const results = workOff(rules, await answer.json(), (share) => worker.postMessage({ share }));
    worker.postMessage({ results: results.buffer });
  } catch (error) {
    worker.postMessage({ problem: String(error) });
  }
});
