// The house as an app: its worker stands by with a page for when there is no line, and with what the house sends.

/** Over plain http there are no workers; a browser that refuses one shows the house as ever. */
async function stand() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
  } catch {
    // private windows, and browsers whose owner forbids it
  }
}

// After the page: it is nothing to wait for.
addEventListener("load", () => setTimeout(stand, 1000));
