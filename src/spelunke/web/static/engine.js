// The rules of one game as WebAssembly, for browsers and Node (docs/why/native.md). `make wasm` makes the modules.
//
//   const rules = await Engine.load("/modules/game.wasm");
//   let state = rules.start();
//   if (rules.actors(state) === CHANCE) state = rules.applyChance(state, rules.chances(state).outcomes[0]);
//
// A state is a Uint8Array. No method changes it. docs/environments.md defines the numbers of actions and outcomes.

/** The value of `actors` if chance decides. In other states, the value has a bit for each seat to act, or is OVER. */
export const CHANCE = -1;
export const OVER = -4;

const NOT_NOW = -12;
const FAILED = -13;
const NAMES = /** @type {const} */ ([
  "bytes",
  "actions",
  "outcomes",
  "seats",
  "setup",
  "features",
  "version",
]);

/** @typedef {Uint8Array<ArrayBuffer>} State */
/** @typedef {Record<typeof NAMES[number], number>} Sizes */
/** @typedef {Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>} Numbers */
/** @typedef {{ outcomes: number[], weights: number[] }} Chances */
/** @typedef {Record<string, (...given: number[]) => number>} Kernels */
/**
 * Lines to play out, each `seeds.length` times. A line is a flat list: the seat of each step (or CHANCE), and the number
 * of its action or outcome. Playouts begin in the `worlds` in turn. See `spelunke.solvers.playouts`.
 * @typedef {{ worlds: readonly State[], lines: readonly (readonly number[])[], seeds: BigInt64Array, parts: number, knower: number }} Lines
 */

/** Throw unless a number is whole and in its range. @param {string} name @param {number} number @param {number} end */
function check(name, number, end) {
  if (!Number.isInteger(number) || number < 0 || number >= end) {
    throw new RangeError(`${name} is a whole number from 0 to ${end - 1}, not ${number}`);
  }
}

/**
 * Return the two halves of a random stream, a number from `seed_stream` in Python. Throw a RangeError for any other
 * number.
 * @param {bigint} stream
 */
function halves(stream) {
  if (stream < 1n || stream >= 1n << 63n)
    throw new RangeError(`a stream is from 1 to 2**63 - 1, not ${stream}`);
  return /** @type {const} */ ([Number(stream >> 32n), Number(BigInt.asIntN(32, stream))]);
}

/** @param {Numbers} array */
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The rules of one game. */
export class Engine {
  /** @type {WebAssembly.Memory} */ #memory;
  /** @type {Kernels} */ #call;

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    const { memory, ...kernels } = instance.exports;
    this.#memory = /** @type {WebAssembly.Memory} */ (memory);
    this.#call = /** @type {Kernels} */ (/** @type {unknown} */ (kernels));
    this.#call._initialize?.();
    const all = new Int32Array(this.#memory.buffer, this.#place("sizes"), NAMES.length);
    /** The bytes of a state; the numbers of actions, outcomes, seats, setup numbers and features; the rules' version. */
    this.sizes = /** @type {Sizes} */ (Object.fromEntries(NAMES.map((name, k) => [name, all[k]])));
    /** The default setup: the seats, then the options. */
    this.usual = Array.from(this.#numbers("place_usual", this.sizes.setup));
  }

  /**
   * Load a module from an address, a response or bytes. Reject with a CompileError if the bytes are not a module, or
   * with an Error if the server answers with an error.
   * @param {string | URL | Response | BufferSource} source
   */
  static async load(source) {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
      return new Engine((await WebAssembly.instantiate(source)).instance);
    }
    const answer = source instanceof Response ? source : await fetch(source);
    if (!answer.ok) throw new Error(`${answer.url} was answered by ${answer.status}`);
    return new Engine((await WebAssembly.instantiate(await answer.arrayBuffer())).instance);
  }

  /** @param {string} name */
  #place(name) {
    return this.#run(name);
  }

  /** Call a function (kernel) of the module. Throw an error if it failed. @param {string} name @param {number[]} given */
  #run(name, ...given) {
    const found = /** @type {(...given: number[]) => number} */ (this.#call[name])(...given);
    if (found === FAILED || Number.isNaN(found)) throw new Error(`the kernel ${name} failed`);
    return found;
  }

  /** Return numbers in the module's memory. @param {string} place @param {number} length */
  #numbers(place, length) {
    return new Int16Array(this.#memory.buffer, this.#place(place), length);
  }

  /**
   * Reserve memory in the module, call `use` with its address, and release the memory. Return the result of `use`.
   * Throw an error if there is not enough memory.
   * @template T
   * @param {number} size
   * @param {(space: number) => T} use
   */
  #withSpace(size, use) {
    const space = this.#run("reserve", size);
    if (!space) throw new Error("there is not enough memory");
    try {
      return use(space);
    } finally {
      this.#run("release", space);
    }
  }

  /** @param {State} state */
  #put(state) {
    if (state.length !== this.sizes.bytes) {
      throw new RangeError(`a state of this game has ${this.sizes.bytes} bytes, not ${state.length}`);
    }
    new Uint8Array(this.#memory.buffer).set(state, this.#place("place_state"));
  }

  /** @returns {State} */
  #taken() {
    const from = this.#place("place_state");
    return new Uint8Array(this.#memory.buffer.slice(from, from + this.sizes.bytes));
  }

  /** @param {readonly number[]} setup */
  #putSetup(setup) {
    if (setup.length !== this.sizes.setup) {
      throw new RangeError(`a setup of this game has ${this.sizes.setup} numbers, not ${setup.length}`);
    }
    this.#numbers("place_numbers", setup.length).set(setup);
  }

  /** Return the state before the first decision or chance. The options are not checked. @param {readonly number[]} setup */
  start(setup = this.usual) {
    this.#putSetup(setup);
    this.#run("start");
    return this.#taken();
  }

  /** Return a bit for each seat that may act, or CHANCE, or OVER. @param {State} state */
  actors(state) {
    this.#put(state);
    return this.#run("actors");
  }

  /** Return the seat's legal actions, ascending. @param {State} state @param {number} seat */
  legal(state, seat) {
    check("a seat", seat, this.sizes.seats);
    this.#put(state);
    return Array.from(this.#numbers("place_numbers", this.#run("legal", seat)));
  }

  /** Return the state after an action; throw a RangeError if it is not legal. @param {State} state @param {number} seat @param {number} action */
  play(state, seat, action) {
    check("a seat", seat, this.sizes.seats);
    check("an action", action, this.sizes.actions);
    this.#put(state);
    return this.#changed(
      this.#run("play", seat, action),
      `seat ${seat} can't act now`,
      `action ${action} is not legal`,
    );
  }

  /**
   * Return the possible outcomes of chance and their weights, or none if it is not chance's turn. @param {State} state
   */
  chances(state) {
    this.#put(state);
    const count = this.#run("chances");
    const outcomes = Array.from(this.#numbers("place_numbers", count));
    return { outcomes, weights: Array.from(this.#numbers("place_weights", count)) };
  }

  /**
   * Return the state after an outcome of chance; throw a RangeError if the outcome is not possible. @param {State}
   * state @param {number} outcome
   */
  applyChance(state, outcome) {
    check("an outcome", outcome, this.sizes.outcomes);
    this.#put(state);
    return this.#changed(
      this.#run("apply_chance", outcome),
      "it is not chance's turn",
      `outcome ${outcome} can't happen`,
    );
  }

  /** @param {number} status @param {string} notNow @param {string} notAllowed */
  #changed(status, notNow, notAllowed) {
    if (status < 0) throw new RangeError(status === NOT_NOW ? notNow : notAllowed);
    return this.#taken();
  }

  /**
   * Return each seat's points and rank (1 is best) of a game that is over, or null while it is running. @param {State}
   * state
   */
  result(state) {
    this.#put(state);
    if (this.#run("result") < 0) return null;
    const { seats } = this.sizes;
    const points = Array.from(this.#numbers("place_numbers", seats));
    return { points, ranks: Array.from(this.#numbers("place_weights", seats)) };
  }

  /** Return the numbers that describe the game as a seat sees it, for learning (docs/environments.md). @param {State} state @param {number} seat */
  view(state, seat) {
    check("a seat", seat, this.sizes.seats);
    this.#put(state);
    this.#run("view", seat);
    return new Float32Array(this.#memory.buffer, this.#place("place_view"), this.sizes.features).slice();
  }

  /**
   * Play random games from the start; return the number of decisions.
   * @param {number} games
   * @param {bigint} stream
   * @param {readonly number[]} setup
   */
  playouts(games, stream = 1n, setup = this.usual) {
    this.#putSetup(setup);
    return this.#run("playouts", ...halves(stream), games);
  }

  /**
   * Return a digest of random games. It is equal wherever the same rules run (`spelunke.core.digest`).
   * @param {number} plies
   * @param {number} stride
   * @param {bigint} stream
   * @param {readonly number[]} setup
   */
  digest(plies, stride, stream, setup = this.usual) {
    this.#putSetup(setup);
    return this.#run("digest", ...halves(stream), plies, stride);
  }

  /** Whether the module can play lines out: only the modules of some games can. */
  get playsOut() {
    return "play_out" in this.#call;
  }

  /**
   * Play lines out. `samples` in the result has the points, the chance to win and the place, by line, playout and seat.
   * `left` has a number for each line, with a bit for each seat that decided after the line. The steps of the lines
   * must be legal: this is not checked.
   * @param {Lines} job
   */
  playOut({ worlds, lines, seeds, parts, knower }) {
    const { bytes, seats } = this.sizes;
    const longest = Math.max(1, ...lines.map((line) => line.length / 2));
    const steps = lines.length * longest;
    const count = lines.length * seeds.length * seats * 3;
    if (!worlds.length || !count) throw new RangeError("there is nothing to play out");
    // The arrays with the largest elements come first, so that each begins at a multiple of its element's size.
    const sizes = [
      count * 8,
      seeds.length * 8,
      worlds.length * bytes,
      steps * 2,
      steps * 2,
      lines.length * 2,
    ];
    const size = sizes.reduce((sum, one) => sum + one, 0);
    return this.#withSpace(size, (space) => {
      const at = sizes.map((_, k) => sizes.slice(0, k).reduce((sum, one) => sum + one, space));
      const [samples = 0, seedsAt = 0, worldsAt = 0, whoAt = 0, stepsAt = 0, left = 0] = at;
      const { buffer } = this.#memory;
      new BigInt64Array(buffer, seedsAt, seeds.length).set(seeds);
      for (const [k, world] of worlds.entries()) {
        if (world.length !== bytes) throw new RangeError(`a state of this game has ${bytes} bytes`);
        new Uint8Array(buffer, worldsAt + k * bytes, bytes).set(world);
      }
      const who = new Int16Array(buffer, whoAt, steps).fill(0);
      const acts = new Int16Array(buffer, stepsAt, steps).fill(-1);
      for (const [k, line] of lines.entries()) {
        for (let step = 0; step < line.length / 2; step += 1) {
          who[k * longest + step] = line[2 * step] ?? 0;
          acts[k * longest + step] = line[2 * step + 1] ?? -1;
        }
      }
      const given = [worldsAt, worlds.length, whoAt, stepsAt, lines.length, longest, seedsAt, seeds.length];
      this.#run("play_out", ...given, parts, knower, samples, left);
      return {
        samples: new Float64Array(this.#memory.buffer, samples, count).slice(),
        left: new Int16Array(this.#memory.buffer, left, lines.length).slice(),
      };
    });
  }

  /**
   * Solve a round of a game that has the kernel `solve`. The arrays are the kernel's arguments, and it may change them.
   * Their numbers are not checked.
   * @param {readonly Numbers[]} arrays
   */
  solve(arrays) {
    const head = 16 * arrays.length; // an address and a length for each array
    const sizes = arrays.map(({ byteLength }) => Math.ceil(byteLength / 8) * 8);
    const size = sizes.reduce((sum, one) => sum + one, head);
    this.#withSpace(size, (space) => {
      const given = new Uint32Array(this.#memory.buffer, space, 4 * arrays.length).fill(0);
      let at = space + head;
      const places = sizes.map((one) => {
        at += one;
        return at - one;
      });
      for (const [k, array] of arrays.entries()) {
        given[4 * k] = places[k] ?? 0;
        given[4 * k + 2] = array.length;
        new Uint8Array(this.#memory.buffer, places[k]).set(bytesOf(array));
      }
      this.#run("solve", space);
      for (const [k, array] of arrays.entries()) {
        bytesOf(array).set(new Uint8Array(this.#memory.buffer, places[k], array.byteLength));
      }
    });
  }

  /**
   * Return the number of sequences of `depth` plies (16 at most) from a state.
   * @param {State} state
   * @param {number} depth
   */
  perft(state, depth) {
    check("a depth", depth, 17);
    this.#put(state);
    return this.#run("perft", depth);
  }
}
