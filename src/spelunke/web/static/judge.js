// The script of a worker that runs the playouts of an analysis, or solves its rounds (own-analysis.js), so that the
// page stays responsive.
import { Engine } from "./engine.js";
import { workOff } from "./judging.js";
import { solveRounds, unpack } from "./rounds.js";

/** @typedef {{ module: string, plan: string, weights: string }} Wish */
/** @typedef {{ share?: number, results?: ArrayBuffer, problem?: string }} Told */
// The types of workers conflict with those of pages.
const worker =
  /** @type {{ postMessage: (told: Told) => void, addEventListener: (type: "message", listener: (event: MessageEvent<Wish>) => void) => void }} */ (
    /** @type {unknown} */ (self)
  );

/** @param {string} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.url} was answered by ${answer.status}`);
  return answer;
}

worker.addEventListener("message", async ({ data: { module, plan, weights } }) => {
  try {
    const [rules, answer] = await Promise.all([Engine.load(module), load(plan)]);
    const planned = await answer.json();
    /** @param {number} share */
    const tell = (share) => worker.postMessage({ share });
    const results = planned.rounds
      ? solveRounds(rules, await unpack(await (await load(weights)).arrayBuffer()), planned, tell)
      : workOff(rules, planned, tell);
    worker.postMessage({ results: results.buffer });
  } catch (error) {
    worker.postMessage({ problem: String(error) });
  }
});
