/*
 * Service worker of the pickup page: lets /restaurant/pick-up open without a connection. It stores
 * that page and the files it loaded, and nothing else: orders are in IndexedDB, and requests to the
 * API are never answered from here.
 * https://developer.mozilla.org/en-US/docs/Web/API/Service_Worker_API
 */
const STORE = "pickup";
const PAGE = "/restaurant/pick-up";
const PATIENCE_MS = 6000;
// An answer is stored for one person in one language, so what it varies by makes no difference.
const ANYHOW = { ignoreVary: true };

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The page names the files that it loaded; files of earlier versions are deleted.
addEventListener("message", (event) => {
  if (event.data?.page === PAGE) event.waitUntil(storeFiles(event.data.files));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(openPage(request));
  else if (pathname.startsWith("/static/")) event.respondWith(openFile(request));
});

async function storeFiles(files) {
  const store = await caches.open(STORE);
  const wanted = new Set(files);
  for (const { url } of await store.keys()) {
    if (new URL(url).pathname !== PAGE && !wanted.delete(url)) await store.delete(url);
  }
  const page = (await store.match(PAGE, ANYHOW)) ? [] : [PAGE];
  await Promise.allSettled([...wanted, ...page].map((url) => storeOne(store, url)));
}

async function storeOne(store, url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  // A redirect leads to the sign-in page, which isn't this one.
  if (answer.ok && !answer.redirected) await store.put(url, answer);
}

async function openPage(request) {
  const store = await caches.open(STORE);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await store.put(PAGE, answer.clone());
    else if (answer.type === "opaqueredirect" || answer.status === 403) await caches.delete(STORE);
    return answer;
  } catch {
    return (await store.match(PAGE, ANYHOW)) ?? Response.error();
  }
}

async function openFile(request) {
  return (await caches.match(request, { cacheName: STORE, ...ANYHOW })) ?? fetch(request);
}
