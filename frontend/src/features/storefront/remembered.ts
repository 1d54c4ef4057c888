/** As in lib/own-orders.ts, which most guests never load. */
const KEY = "own-orders";
const CHANGED = "own-orders-changed";

function isStored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is off
  }
}

/**
 * Loads what lists the orders placed in this browser (own-orders.ts) once it remembers one, or is on the
 * page of one. Its address is in the page for the reason in typo-watch.ts.
 */
export function loadOwnOrders(
  load: (script: string) => Promise<unknown> = (script) => import(/* @vite-ignore */ script),
): void {
  const script = document.querySelector<HTMLMetaElement>("meta[name=own-orders]")?.content;
  const look = (): void => {
    if (!script || !(isStored() || document.querySelector("[data-own-order]"))) return;
    for (const event of [CHANGED, "storage", "pageshow"]) removeEventListener(event, look);
    // Without a connection, the emails have the links.
    load(script).catch(() => {});
  };
  for (const event of [CHANGED, "storage", "pageshow"]) addEventListener(event, look);
  look();
}
