// The house as an app: its service worker has an offline page, and receives pushes.

/** Register the service worker. Plain http has none; if a browser refuses one, nothing else changes. */
async function stand() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
  } catch {
    // private windows, and browsers that forbid workers
  }
}

// after the page, because nothing waits for it
addEventListener("load", () => setTimeout(stand, 1000));
