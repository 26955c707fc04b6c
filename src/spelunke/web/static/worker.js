// The service worker. Its address is /worker.js, so that it controls all pages. It is a separate script without
// imports. The types of workers conflict with those of pages, so this file declares the types that it uses.

/** @typedef {{ visibilityState: string, url: string, focus: () => Promise<unknown> }} OpenPage */
/** @typedef {{ url?: string }} Leads */
/**
 * @typedef {object} Place
 * @property {string} origin
 */
/**
 * @typedef {object} HouseWorker
 * @property {{ showNotification: (title: string, options: object) => Promise<void>, navigationPreload?: { enable: () => Promise<void> } }} registration
 * @property {{ matchAll: (query: object) => Promise<OpenPage[]>, openWindow: (url: string) => Promise<unknown> }} clients
 * @property {Place} location
 * @property {(type: string, listener: (event: never) => void) => void} addEventListener
 */
/** @typedef {{ waitUntil: (work: Promise<unknown>) => void }} Lasting */

const worker = /** @type {HouseWorker} */ (/** @type {unknown} */ (self));

// ---- notifications: show the server's push messages, and open their links ----

/**
 * A push message: a title, a line of text, and a link.
 * @typedef {{ title?: string, body?: string, url?: string, tag?: string }} Told
 */

/** @param {Told} told */
async function showTold(told) {
  await worker.registration.showNotification(told.title ?? "Spelunke", {
    body: told.body ?? "",
    tag: told.tag ?? "house",
    icon: "/static/icon.svg",
    data: { url: told.url ?? "/" },
  });
}

/** @param {string} path */
async function openPath(path) {
  // only to this site, whatever was sent
  const there = new URL(path, worker.location.origin);
  const url = there.origin === worker.location.origin ? there.href : `${worker.location.origin}/`;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  await (same ? same.focus() : worker.clients.openWindow(url));
}

worker.addEventListener(
  "push",
  /** @param {Lasting & { data: { json: () => unknown } | null }} event */
  (event) => {
    /** @type {Told} */
    let told = {};
    try {
      told = /** @type {Told} */ (event.data?.json() ?? {});
    } catch {
      // browsers require a notification for each push: show one without text
    }
    event.waitUntil(showTold(told));
  },
);

worker.addEventListener(
  "notificationclick",
  /** @param {Lasting & { notification: { close: () => void, data: Leads | null } }} event */
  (event) => {
    event.notification.close();
    event.waitUntil(openPath(event.notification.data?.url ?? "/"));
  },
);

// ---- offline: pages always come from the server. If it can't be reached, show the offline page ----

const KEPT = "house-1";
const OFFLINE = "/offline";

/**
 * @typedef {object} Store
 * @property {(request: Request | string) => Promise<Response | undefined>} match
 * @property {(request: Request | string, response: Response) => Promise<void>} put
 * @property {() => Promise<readonly Request[]>} keys
 * @property {(request: Request) => Promise<boolean>} delete
 */

/** @returns {Promise<Store>} */
const openKept = () => caches.open(KEPT);

/** Store the offline page and its files. They contain nothing personal. */
async function keepOffline() {
  const kept = await openKept();
  const page = await fetch(OFFLINE, { credentials: "omit", cache: "reload" });
  if (!page.ok) return;
  const text = await page.clone().text();
  await kept.put(OFFLINE, page);
  for (const [, path] of text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)) {
    if (path) await giveFile(new Request(path));
  }
}

/**
 * Fetch a static file and store it in place of its older version.
 * @param {Store} kept
 * @param {Request} request
 */
async function keepFile(kept, request) {
  const answer = await fetch(request);
  // During an upgrade, a file may come from a server of another version. Its address is not the requested one.
  if (!answer.headers.get("cache-control")?.includes("immutable")) return answer;
  const { pathname } = new URL(request.url);
  for (const old of await kept.keys()) {
    if (new URL(old.url).pathname === pathname && old.url !== request.url) await kept.delete(old);
  }
  await kept.put(request, answer.clone());
  return answer;
}

/** Return a static file, from the store if possible. Its address changes with its content. @param {Request} request */
async function giveFile(request) {
  const kept = await openKept();
  return (await kept.match(request)) ?? (await keepFile(kept, request));
}

/**
 * Return a page from the server. If the server can't be reached, return the offline page.
 * @param {Request} request
 * @param {Promise<Response | undefined>} begun
 */
async function givePage(request, begun) {
  try {
    return (await begun) ?? (await fetch(request));
  } catch {
    const kept = await openKept();
    return (await kept.match(OFFLINE)) ?? Response.error();
  }
}

worker.addEventListener(
  "install",
  /** @param {Lasting} event */
  (event) => event.waitUntil(keepOffline()),
);

worker.addEventListener(
  "activate",
  /** @param {Lasting} event */
  (event) => event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve()),
);

worker.addEventListener(
  "fetch",
  /** @param {{ request: Request, preloadResponse: Promise<Response | undefined>, respondWith: (answer: Promise<Response>) => void }} event */
  (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== worker.location.origin) return;
    if (request.mode === "navigate") event.respondWith(givePage(request, event.preloadResponse));
    else if (url.pathname.startsWith("/static/") && url.searchParams.has("v"))
      event.respondWith(giveFile(request));
  },
);
