/** As in lib/own-orders.ts and following.ts, which most guests never load. */
const KEYS = ["own-orders", "following"];
const CHANGED = "own-orders-changed";

function isStored(): boolean {
  try {
    return KEYS.some((key) => localStorage.getItem(key) !== null);
  } catch {
    return false; // storage is off
  }
}

/**
 * Loads what lists the orders placed in this browser (own-orders.ts) once it remembers one or follows a
 * restaurant, or is on the page that says so. Its address is in the page for the reason in typo-watch.ts.
 */
export function loadOwnOrders(
  load: (script: string) => Promise<unknown> = (script) => import(/* @vite-ignore */ script),
): void {
  const script = document.querySelector<HTMLMetaElement>("meta[name=own-orders]")?.content;
  const look = (): void => {
    if (!script || !(isStored() || document.querySelector("[data-own-order], [data-follows]")))
      return;
    for (const event of [CHANGED, "storage", "pageshow"]) removeEventListener(event, look);
    // Without a connection, the emails have the links.
    load(script).catch(() => {});
  };
  for (const event of [CHANGED, "storage", "pageshow"]) addEventListener(event, look);
  look();
}
