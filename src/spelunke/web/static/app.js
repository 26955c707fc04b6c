// The site as an app: its service worker has an offline page, stores files, and receives push messages.
import { all } from "./dom.js";

const KEPT = "house-1"; // the store of worker.js
const PATIENCE_MS = 5_000; // the longest wait for the worker, which may never be ready

/** @param {string} address */
const markOf = (address) => new URL(address, location.href).searchParams.get("v") ?? "";

/** Put the style sheets that were inside the page into the worker's store, each in place of its older version. */
async function storeSheets() {
  const kept = await caches.open(KEPT);
  for (const sheet of all("style[data-sheet]", HTMLStyleElement)) {
    const address = sheet.dataset.sheet ?? "";
    const path = new URL(address, location.href).pathname;
    for (const old of await kept.keys()) if (new URL(old.url).pathname === path) await kept.delete(old);
    await kept.put(address, new Response(sheet.textContent, { headers: { "content-type": "text/css" } }));
  }
}

/**
 * Record in a cookie which style sheets this browser has received. The server then sends pages with links to these
 * sheets instead of their content (docs/why/first-paint.md).
 */
function tellSheets() {
  const addresses = [
    ...all("style[data-sheet]", HTMLStyleElement).map((sheet) => sheet.dataset.sheet ?? ""),
    ...all('link[rel="stylesheet"]', HTMLLinkElement).map((sheet) => sheet.href),
  ];
  const known = /(?:^|; )sheets=([\w.]*)/.exec(document.cookie)?.[1]?.split(".") ?? [];
  const marks = [...new Set([...addresses.map(markOf), ...known])].filter(Boolean).slice(0, 16);
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have a CookieStore
  document.cookie = `sheets=${marks.join(".")}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** Register the service worker. Without it (over plain http, or in some browsers), pages fetch their files as usual. */
async function stand() {
  try {
    if ("serviceWorker" in navigator) {
      await storeSheets();
      await navigator.serviceWorker.register("/worker.js");
      await Promise.race([navigator.serviceWorker.ready, new Promise((on) => setTimeout(on, PATIENCE_MS))]);
    }
  } catch {
    // private windows, and browsers that forbid workers
  }
  tellSheets();
}

// after the page, because nothing waits for it
addEventListener("load", () => setTimeout(stand, 1000));
