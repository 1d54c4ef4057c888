/**
 * Lets this page open without a connection: a service worker stores it with its scripts and
 * styles. It answers for this page alone, and never for the API.
 */
const WORKER = "/restaurant/pick-up-worker.js";
const SCOPE = "/restaurant/pick-up";
/** Scripts that load together are stored together. */
const SETTLED_MS = 500;

export function storePageForOffline(): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  async function store() {
    const { active } = await navigator.serviceWorker.ready;
    if (ended) return;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const files = loaded.filter((name) => name.startsWith(`${location.origin}/static/`));
    active?.postMessage({ page: SCOPE, files: [...new Set(files)] });
  }

  const observer = new PerformanceObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void store(), SETTLED_MS);
  });
  navigator.serviceWorker.register(WORKER, { scope: SCOPE }).then(
    () => !ended && observer.observe({ type: "resource", buffered: true }),
    () => undefined, // the page works, but only with a connection
  );
  return () => {
    ended = true;
    clearTimeout(timer);
    observer.disconnect();
  };
}
