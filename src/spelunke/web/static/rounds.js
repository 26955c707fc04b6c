// The rounds of an analysis, solved in a browser by a game's kernel `solve` (docs/why/native.md). The server plans them, and
// makes the analysis from their values (the game's hook `device_appraiser`).

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").Numbers} Numbers */
/**
 * A round: the arguments of the kernel, the sizes of its results, and the places of the values that the server needs.
 * @typedef {{ network: number, frame: number[], sides: number[], tricks: number[], numbers: number[], size: number, ends: number, reads: number[] }} Round
 */
/** @typedef {{ rounds: Round[], lengths: [number, number, number, number], networks: number }} RoundPlan */

/** Return 32-bit numbers for 16-bit numbers, given by their bits. @param {Uint16Array} bits */
function widen(bits) {
  return Float32Array.from(bits, (all) => {
    const [exponent, part] = [(all >> 10) & 31, all & 1023];
    const size = exponent ? (1 + part / 1024) * 2 ** (exponent - 15) : part * 2 ** -24;
    return all >> 15 ? -size : size;
  });
}

/** Return the content of the file for devices. @param {ArrayBuffer | Uint8Array<ArrayBuffer>} file */
export async function unpack(file) {
  const content = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(content).arrayBuffer();
}

/**
 * Solve all rounds of a plan, and return the values that the server needs.
 * @param {Engine} rules
 * @param {ArrayBuffer} content The content of the file for devices.
 * @param {RoundPlan} plan
 * @param {(share: number) => void} tell Is called after each round with the finished share of the work, from 0 to 1.
 */
export function solveRounds(rules, content, { rounds, lengths, networks }, tell = () => {}) {
  const tables = new Float32Array(content, 0, lengths[0]);
  const weights = widen(new Uint16Array(content, 4 * lengths[0], lengths[1]));
  const [steps, counts] = [2, 3].map((k) => {
    const at = 4 * lengths[0] + 2 * lengths.slice(1, k).reduce((sum, length) => sum + length, 0);
    return new Int16Array(content, at, lengths[k]);
  });
  if (!steps || !counts) throw new RangeError("the file for devices is not complete");
  const settled = new Int16Array((counts.length / 6) ** 2).fill(-1);
  const whole = rounds.reduce((sum, { size, ends }) => sum + size + ends, 0);
  const wide = weights.length / networks;
  /** @type {number[]} */
  const results = [];
  let done = 0;
  for (const { network, frame, sides, tricks, numbers, size, ends, reads } of rounds) {
    const first = Math.max(0, network) * wide;
    const [middle, values, store] = [
      Float64Array.from(numbers),
      new Float32Array(ends),
      new Float32Array(size),
    ];
    rules.solve([
      weights.subarray(first, first + wide),
      tables,
      Int16Array.from(frame),
      Int16Array.from(sides),
      Int16Array.from(tricks),
      middle,
      steps,
      counts,
      settled,
      values,
      store,
    ]);
    const found = reads.map((place) => (place < 0 ? values[-1 - place] : store[place]) ?? Number.NaN);
    for (const one of [middle[0] ?? 0, reads.length, ...found]) results.push(one);
    done += size + ends;
    tell(done / whole);
  }
  return Float32Array.from(results);
}
