// Keep the screen on during a live game (data-awake), while the page is visible.
import { afterPush } from "./pushes.js";

/** @type {WakeLockSentinel | null} */
let lock = null;
let asking = false;

const wanted = () => !document.hidden && document.getElementById("head")?.dataset.awake === "true";

async function settle() {
  if (!("wakeLock" in navigator) || asking) return;
  asking = true;
  try {
    if (wanted() && (lock === null || lock.released)) lock = await navigator.wakeLock.request("screen");
    if (!wanted() && lock !== null) {
      await lock.release();
      lock = null;
    }
  } catch {
    lock = null; // a phone that saves its battery refuses
  } finally {
    asking = false;
  }
}

void settle();
afterPush(settle);
document.addEventListener("visibilitychange", settle);
