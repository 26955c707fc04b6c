// Short sounds, synthesized here from tones and noise, without files. They are off until somebody turns the volume up,
// and each kind has a switch. A phone also vibrates at its owner's turn and for dice. A device without sound or
// vibration does nothing.
import { read } from "./preferences.js";
import { afterPush } from "./pushes.js";

/** @typedef {{ at: number, hertz?: number, to?: number, noise?: number, wave?: OscillatorType, long: number, loud: number }} Note */

/** @type {Record<string, Note[]>} */
const SOUNDS = {
  turn: [
    { at: 0, hertz: 660, to: 440, wave: "triangle", long: 0.4, loud: 0.5 },
    { at: 0.12, hertz: 880, to: 660, wave: "triangle", long: 0.3, loud: 0.25 },
  ],
  dice: [0, 0.07, 0.13, 0.21, 0.26].map((at, n) => ({
    at,
    noise: 2600 - 260 * n,
    long: 0.05,
    loud: 0.7 - 0.09 * n,
  })),
  card: [{ at: 0, noise: 1500, long: 0.09, loud: 0.4 }],
  call: [
    { at: 0, hertz: 392, wave: "square", long: 0.12, loud: 0.16 },
    { at: 0.11, hertz: 587, wave: "square", long: 0.3, loud: 0.2 },
  ],
  round: [
    { at: 0, hertz: 523, to: 516, wave: "sine", long: 1.1, loud: 0.4 },
    { at: 0, hertz: 1318, to: 1310, wave: "sine", long: 0.7, loud: 0.14 },
  ],
  won: [523, 659, 784, 1047].map((hertz, n) => ({
    at: 0.13 * n,
    hertz,
    wave: "triangle",
    long: 0.45,
    loud: 0.42,
  })),
  lost: [392, 349, 294].map((hertz, n) => ({
    at: 0.2 * n,
    hertz,
    to: hertz * 0.97,
    wave: "sine",
    long: 0.5,
    loud: 0.4,
  })),
  talk: [{ at: 0, hertz: 988, to: 1175, wave: "sine", long: 0.14, loud: 0.22 }],
};
/** Sounds that share a switch with another kind. @type {Record<string, string>} */
const SWITCH = { won: "end", lost: "end" };
const LATE_MS = 120;
/** The tune of an ending comes after the sounds of the last move, which begin after `LATE_MS`. */
const TUNE_MS = 600;

/** @type {AudioContext | undefined} */
let sounds;
/** @type {AudioBuffer | undefined} */
let hiss;

/**
 * Return the audio context. Before the first press on the page, return undefined, because browsers allow no sounds yet.
 * @returns {AudioContext | undefined}
 */
function speaker() {
  if (!navigator.userActivation?.hasBeenActive) return undefined;
  sounds ??= new AudioContext();
  if (sounds.state === "suspended") void sounds.resume();
  return sounds;
}

/** @param {AudioContext} out */
function noise(out) {
  if (!hiss) {
    hiss = out.createBuffer(1, out.sampleRate / 4, out.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  }
  const source = out.createBufferSource();
  source.buffer = hiss;
  return source;
}

/** @param {AudioContext} out @param {Note} note @param {number} volume */
function sound(out, note, volume) {
  const from = out.currentTime + note.at;
  const gain = out.createGain();
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, note.loud * volume), from + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + note.long);
  gain.connect(out.destination);
  /** @type {AudioScheduledSourceNode} */
  let source;
  if (note.noise) {
    const band = new BiquadFilterNode(out, { type: "bandpass", frequency: note.noise, Q: 1.4 });
    source = noise(out);
    source.connect(band).connect(gain);
  } else {
    const tone = new OscillatorNode(out, { type: note.wave ?? "sine", frequency: note.hertz ?? 440 });
    if (note.to) tone.frequency.exponentialRampToValueAtTime(note.to, from + note.long);
    source = tone;
    tone.connect(gain);
  }
  source.start(from);
  source.stop(from + note.long + 0.02);
}

/**
 * Play a kind of sound, if this device's settings allow it.
 * @param {string} kind
 */
export function play(kind) {
  const volume = Number(read("volume", "0")) / 100;
  if (!volume || read(`sound-${SWITCH[kind] ?? kind}`, "on") !== "on") return;
  try {
    const out = speaker();
    if (out) for (const note of SOUNDS[kind] ?? []) sound(out, note, volume);
  } catch {
    // a device without sound
  }
}

/** Functions that wait for the end of a story. @type {Set<() => void>} */
const waiting = new Set();

/**
 * Call a function now, or at the end of the running story: a bell must not ring for what is not yet visible.
 * @param {() => void} react
 */
export function whenTold(react) {
  if (document.documentElement.hasAttribute("data-telling")) waiting.add(react);
  else react();
}

document.addEventListener("spelunke:told", () => {
  for (const react of waiting) react();
  waiting.clear();
});

/** @param {number | number[]} pattern */
export function shake(pattern) {
  if (read("vibration", "on") !== "on" || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(pattern);
}

const count = (/** @type {string} */ selector) => document.querySelectorAll(selector).length;
const ply = () => document.getElementById("said")?.dataset.ply ?? "";
let told = ply();
let lines = count("#chat-lines > li");
let round = document.getElementById("summary")?.dataset.round ?? "";

const ringRound = () => play("round");

/** Return the sounds that the server names in this update of the page, each once. */
function newSounds() {
  const now = ply();
  if (now === told) return [];
  told = now;
  return (document.getElementById("said")?.dataset.sounds ?? "").split(" ");
}

/**
 * Play the sounds of an update, and the sounds for new messages and for the end of a round. `kinds` are the sounds that
 * `newSounds` found, because the page may already show the next update.
 * @param {string[]} kinds
 */
function hear(kinds) {
  const spoken = count("#chat-lines > li");
  const ending = document.getElementById("summary")?.dataset.round ?? "";
  if (ending && ending !== round && !document.getElementById("result-title")) whenTold(ringRound);
  if (spoken > lines) play("talk");
  for (const kind of kinds) play(kind);
  if (kinds.includes("dice")) shake(15);
  [lines, round] = [spoken, ending];
}

afterPush(() => setTimeout(hear, LATE_MS, newSounds()));
document.addEventListener("spelunke:reaction", () => play("talk"));
document.addEventListener("spelunke:ended", (event) => {
  if (event instanceof CustomEvent) setTimeout(play, TUNE_MS, event.detail === "won" ? "won" : "lost");
});
// After a change of the volume, play a sound as a sample.
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && event.target.dataset.preference === "volume") play("turn");
});
