// Answers with a page of its own where the server cannot be reached. No page that the server sent is kept.

const FILES = {{ data(files) }};
const OFFLINE = {{ data(offline) }};
const CACHES = {{ data(caches) }};
const CACHE = CACHES + {{ data(version) }};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...FILES])));
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clients.claim(), forgetOlder()]));
});

async function forgetOlder() {
  const older = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, search } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => unreached(request)));
  else if (FILES.includes(pathname + search)) event.respondWith(fetch(request).catch(() => kept(request)));
});

/** Whoever has sent a form finds the page with the form at its address when the server is back. */
function unreached(request) {
  if (request.method !== "GET") return Response.redirect(request.referrer || registration.scope, 303);
  // Going back to what followed a form, the browser asks nobody.
  if (request.cache === "only-if-cached") return fetch(request.url).catch(() => kept(OFFLINE));
  return kept(OFFLINE);
}

/** What this worker keeps, not what an older one that is not forgotten yet keeps, in another language perhaps. */
function kept(request) {
  return caches.match(request, { cacheName: CACHE });
}
