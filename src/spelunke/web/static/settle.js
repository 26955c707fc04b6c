// The means and errors of playouts, and the probabilities of secret choices. The server computes the same numbers in
// `spelunke.solvers.played` and `spelunke.solvers.secret`. Comments there explain the numbers, and tests/test_wasm.py
// compares the results.

/** @typedef {Float64Array<ArrayBuffer>} Reals */

const KINDS = 3; // points, chance to win, place
const CHANCE = 1;
const ROUNDS = 600;

/**
 * The results of single playouts: three numbers (see KINDS) for each line, each of its playouts and each seat.
 * @typedef {{ samples: Reals, lines: number, games: number, seats: number }} Samples
 */

/**
 * The means of the playouts and their standard errors, for each line, seat and kind. `alike` is 1 if all playouts of a
 * line gave a seat the same numbers. `apart` has two standard errors for each pair of lines: those of the differences in
 * points and in the chance to win.
 * @typedef {{ means: Float32Array, errors: Float32Array, alike: Uint8Array, apart: Float32Array }} Played
 */

/** @param {Samples} given @param {number} line @param {number} seat @param {number} kind */
function column({ samples, games, seats }, line, seat, kind) {
  const found = new Float64Array(games);
  for (let k = 0; k < games; k += 1)
    found[k] = /** @type {number} */ (samples[((line * games + k) * seats + seat) * KINDS + kind]);
  return found;
}

/** @param {Reals} numbers */
function mean(numbers) {
  const first = numbers[0] ?? 0; // so that the mean of equal numbers is this number
  let sum = 0;
  for (const number of numbers) sum += number - first;
  return first + sum / numbers.length;
}

/** Return the sum of the squared distances from the mean. @param {Reals} numbers */
function scatter(numbers) {
  const middle = mean(numbers);
  let sum = 0;
  for (const number of numbers) sum += (number - middle) ** 2;
  return sum;
}

/** @param {Reals} a @param {Reals} b */
const minus = (a, b) => a.map((number, k) => number - /** @type {number} */ (b[k]));

/**
 * Return the means and errors of the playouts. If `seat` is not -1, also compare each pair of lines for this seat.
 * @param {Samples} given
 * @param {number} seat
 * @returns {Played}
 */
export function sumUp(given, seat) {
  const { lines, games, seats } = given;
  const [means, errors] = [new Float32Array(lines * seats * KINDS), new Float32Array(lines * seats * KINDS)];
  const alike = new Uint8Array(lines * seats).fill(1);
  for (let at = 0; at < means.length; at += 1) {
    const place = Math.floor(at / KINDS);
    const numbers = column(given, Math.floor(place / seats), place % seats, at % KINDS);
    means[at] = mean(numbers);
    errors[at] = Math.sqrt(scatter(numbers)) / games;
    if (numbers.some((number) => number !== numbers[0])) alike[place] = 0;
  }
  const apart = [];
  for (let one = 0; seat >= 0 && one < lines; one += 1) {
    for (let other = one + 1; other < lines; other += 1) {
      for (let kind = 0; kind < 2; kind += 1) {
        const lost = minus(column(given, one, seat, kind), column(given, other, seat, kind));
        apart.push(Math.sqrt(scatter(lost)) / games);
      }
    }
  }
  return { means, errors, alike, apart: Float32Array.from(apart) };
}

/**
 * Return the lines for the second pass: the best `keep` lines for the seat, and the line `played` (-1 for none).
 * @param {Played} first @param {number} lines @param {number} seats @param {number} seat @param {number} keep @param
 * {number} played
 */
export function chooseAgain({ means }, lines, seats, seat, keep, played) {
  /** @param {number} line @param {number} kind */
  const value = (line, kind) => /** @type {number} */ (means[(line * seats + seat) * KINDS + kind]);
  const order = [...Array(lines).keys()].sort(
    (a, b) => value(b, CHANCE) - value(a, CHANCE) || value(b, 0) - value(a, 0) || a - b,
  );
  return [...order.slice(0, keep), ...order.slice(keep).filter((line) => line === played)];
}

/** @param {readonly number[]} sizes */
const product = (sizes) => sizes.reduce((all, size) => all * size, 1);

/**
 * Reorder a table of all combinations of choices, so that its first axis is the choice of the chooser `me`.
 * @template {Reals | number[]} T
 * @param {T} table
 * @param {readonly number[]} sizes
 * @param {number} me
 * @returns {T}
 */
function bring(table, sizes, me) {
  const [outer, inner] = [product(sizes.slice(0, me)), product(sizes.slice(me + 1))];
  const mine = sizes[me] ?? 1;
  const found = /** @type {T} */ (table.slice());
  for (let o = 0; o < outer; o += 1)
    for (let k = 0; k < mine; k += 1)
      for (let i = 0; i < inner; i += 1)
        found[(k * outer + o) * inner + i] = /** @type {number} */ (table[(o * mine + k) * inner + i]);
  return found;
}

/**
 * Return the value of each choice of the chooser `me`, if each other chooser makes each choice with its probability in
 * `mixes`. The first axis of the table is the choice of `me`.
 * @param {Reals} table @param {readonly Reals[]} mixes @param {number} me
 */
function against(table, mixes, me) {
  let values = table;
  for (let other = mixes.length - 1; other >= 0; other -= 1) {
    const mix = mixes[other];
    if (other === me || !mix) continue;
    const next = new Float64Array(values.length / mix.length);
    for (let row = 0; row < next.length; row += 1) {
      let sum = 0;
      for (let k = 0; k < mix.length; k += 1)
        sum += /** @type {number} */ (values[row * mix.length + k]) * /** @type {number} */ (mix[k]);
      next[row] = sum;
    }
    values = next;
  }
  return values;
}

/** @param {Reals} a @param {Reals} b */
const dot = (a, b) => a.reduce((sum, number, k) => sum + number * /** @type {number} */ (b[k]), 0);

/**
 * Return, for each chooser, the probability of each choice, found by regret matching. If there are two choosers and
 * their payoffs sum to a constant, the result approaches an equilibrium. Each chooser has a table of payoffs, whose
 * first axis is the chooser's own choice.
 * @param {readonly Reals[]} payoffs @param {readonly number[]} sizes
 */
export function equilibrium(payoffs, sizes) {
  const mixes = sizes.map((size) => new Float64Array(size).fill(1 / size));
  const regrets = sizes.map((size) => new Float64Array(size));
  const whole = sizes.map((size) => new Float64Array(size));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [me, payoff] of payoffs.entries()) {
      const [mix, regret, sum] = [mixes[me], regrets[me], whole[me]];
      if (!mix || !regret || !sum) continue;
      const values = against(payoff, mixes, me);
      const usual = dot(values, mix);
      let total = 0;
      for (let k = 0; k < values.length; k += 1) {
        const more = /** @type {number} */ (regret[k]) + /** @type {number} */ (values[k]) - usual;
        regret[k] = Math.max(more, 0);
        total += Math.max(more, 0);
      }
      for (let k = 0; k < values.length; k += 1) {
        const share = total > 0 ? /** @type {number} */ (regret[k]) / total : 1 / values.length;
        mix[k] = share;
        sum[k] = /** @type {number} */ (sum[k]) + round * share;
      }
    }
  }
  return whole.map((sum) => {
    const total = sum.reduce((all, one) => all + one, 0);
    return sum.map((one) => one / total);
  });
}

/**
 * Return the probability of each combination of the others' choices, in the order of `bring`.
 * @param {readonly Reals[]} mixes @param {number} me
 */
function othersOf(mixes, me) {
  let weights = Float64Array.of(1);
  for (const [other, mix] of mixes.entries()) {
    if (other === me) continue;
    weights = Float64Array.from([...weights].flatMap((weight) => [...mix].map((share) => weight * share)));
  }
  return weights;
}

/**
 * Return the standard error of a weighted mean. A row has the samples for one combination of the others' choices, and
 * its weight is the probability of this combination.
 * @param {readonly Reals[]} rows @param {Reals} weights
 */
function errorOf(rows, weights) {
  const games = rows[0]?.length ?? 1;
  // With one playout of each combination, use the variance between combinations.
  const between = games > 1 ? 0 : scatter(Float64Array.from(rows, (row) => row[0] ?? 0)) / rows.length;
  let sum = 0;
  for (const [k, row] of rows.entries()) {
    const variance = games > 1 ? scatter(row) / (games - 1) : between;
    sum += /** @type {number} */ (weights[k]) ** 2 * variance;
  }
  return Math.sqrt(sum / games);
}

/**
 * Return the solution of a secret choice as a flat list. It begins with the values of all seats. Then follow, for each
 * chooser: the probabilities of its choices, their values, the errors of these values, and the errors of their
 * differences. The lines are all combinations of choices.
 * @param {Samples} given
 * @param {readonly number[]} choosers The seats that choose.
 * @param {readonly number[]} sizes The number of choices of each of them.
 * @returns {number[]}
 */
export function settle(given, choosers, sizes) {
  const { lines, seats } = given;
  const all = [...Array(lines).keys()];
  /** @param {number} seat @param {number} kind */
  const means = (seat, kind) => Float64Array.from(all, (line) => mean(column(given, line, seat, kind)));
  const payoffs = choosers.map((seat, me) => bring(means(seat, CHANCE), sizes, me));
  const mixes = equilibrium(payoffs, sizes);
  /** @type {number[]} */
  const found = [];
  const first = /** @type {Reals} */ (mixes[0]);
  for (let seat = 0; seat < seats; seat += 1)
    for (let kind = 0; kind < KINDS; kind += 1) found.push(dot(against(means(seat, kind), mixes, 0), first));
  for (const [me, seat] of choosers.entries()) {
    const size = sizes[me] ?? 1;
    const weights = othersOf(mixes, me);
    const order = bring(all, sizes, me);
    /** @type {(kind: number) => Reals[][]} */
    const tables = (kind) =>
      [...Array(size).keys()].map((k) =>
        order
          .slice(k * weights.length, (k + 1) * weights.length)
          .map((line) => column(given, line, seat, kind)),
      );
    const [points, chances] = [tables(0), tables(CHANCE)];
    const values = [0, 1, 2].map((kind) => against(bring(means(seat, kind), sizes, me), mixes, me));
    found.push(.../** @type {Reals} */ (mixes[me]));
    for (let k = 0; k < size; k += 1) found.push(...values.map((one) => /** @type {number} */ (one[k])));
    for (const [k, rows] of points.entries())
      found.push(errorOf(rows, weights), errorOf(/** @type {Reals[]} */ (chances[k]), weights));
    for (const [k, rows] of chances.entries()) {
      for (const [j, others] of chances.entries()) {
        const lost = rows.map((row, at) => minus(row, /** @type {Reals} */ (others[at])));
        found.push(k === j ? 0 : errorOf(lost, weights));
      }
    }
  }
  return found;
}
