// The house's service worker, served as /worker.js so that it stands over all pages. It is its own script: no imports.
// Types of workers clash with those of pages, so what is used is said here.

/** @typedef {{ visibilityState: string, url: string, focus: () => Promise<unknown> }} OpenPage */
/** @typedef {{ url?: string }} Leads */
/**
 * @typedef {object} Place
 * @property {string} origin
 */
/**
 * @typedef {object} HouseWorker
 * @property {{ showNotification: (title: string, options: object) => Promise<void> }} registration
 * @property {{ matchAll: (query: object) => Promise<OpenPage[]>, openWindow: (url: string) => Promise<unknown> }} clients
 * @property {Place} location
 * @property {(type: string, listener: (event: never) => void) => void} addEventListener
 */
/** @typedef {{ waitUntil: (work: Promise<unknown>) => void }} Lasting */

const worker = /** @type {HouseWorker} */ (/** @type {unknown} */ (self));

// ---- notifications: what the house sends, and a press on it ---------------------------------------------------------

/**
 * What the house sends: a title, a line, and where it leads.
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
  // Only to this house, whatever was sent.
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
      // a browser shows something for every push: the bare sign then
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
