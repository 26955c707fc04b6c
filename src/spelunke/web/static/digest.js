// SHA-256 and HMAC. Browsers offer them only over https and on localhost; elsewhere this module computes them.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const BLOCK = 64;
const ROUNDS = 64;

/** Return the first primes. @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** Return the first 32 bits of the fractional part of a number. @param {number} number */
const fraction = (number) => (number % 1) * 2 ** 32;
const CONSTANTS = Uint32Array.from(primes(ROUNDS), (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

/** @param {number} x @param {number} n */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * @param {Uint32Array} numbers
 * @param {number} i
 */
const at = (numbers, i) => /** @type {number} */ (numbers[i]);

const words = new Uint32Array(ROUNDS); // the words of one block, used again for each

/**
 * Compress one block into the state.
 * @param {Uint32Array} state
 * @param {DataView} view
 * @param {number} start
 */
function compress(state, view, start) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(start + i * 4);
  for (let i = 16; i < ROUNDS; i += 1) {
    const x = at(words, i - 15);
    const y = at(words, i - 2);
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
  }
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let i = 0; i < ROUNDS; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const key = at(CONSTANTS, i) + at(words, i);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + key) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = at(state, i) + word;
}

/** Return the SHA-256 of some bytes at once, not as a promise. @param {Bytes} bytes @returns {Bytes} */
export function sha256(bytes) {
  const size = (((bytes.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 4, bytes.length * 8);
  const state = START.slice();
  for (let start = 0; start < size; start += BLOCK) compress(state, view, start);
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setUint32(i * 4, word);
  return new Uint8Array(out.buffer);
}

/** @param {Bytes} a @param {Bytes} b @returns {Bytes} */
function join(a, b) {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** @type {SubtleCrypto | undefined} */
const subtle = globalThis.crypto?.subtle;

/** Return the SHA-256 of some bytes. @param {Bytes} bytes @returns {Promise<Bytes>} */
export async function digest(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256(bytes);
}

/**
 * Return a function that signs bytes by HMAC-SHA256 with a key.
 * @param {Bytes} seed
 * @returns {Promise<(bytes: Bytes) => Promise<Bytes>>}
 */
export async function signer(seed) {
  if (subtle) {
    const key = await subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (bytes) => new Uint8Array(await subtle.sign("HMAC", key, bytes));
  }
  const block = new Uint8Array(BLOCK);
  block.set(seed);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return async (bytes) => sha256(join(outer, sha256(join(inner, bytes))));
}

/** Return bytes as hexadecimal text. @param {Bytes} bytes */
export function writeHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return hexadecimal text as bytes. @param {string} hex @returns {Bytes} */
export function parseHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
