/**
 * The checkout that a tab has begun, so that after a reload its portions are released, or its
 * orders shown, before another one is begun.
 */
interface SavedCheckout {
  id: string;
  publishableKey: string;
}

const key = (restaurant: string) => `checkout:${restaurant}`;

export function savedCheckout(restaurant: string): SavedCheckout | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key(restaurant)) ?? "null");
    return typeof stored?.id === "string" && typeof stored.publishableKey === "string"
      ? stored
      : null;
  } catch {
    return null;
  }
}

export function saveCheckout(restaurant: string, checkout: SavedCheckout | null): void {
  try {
    if (checkout) sessionStorage.setItem(key(restaurant), JSON.stringify(checkout));
    else sessionStorage.removeItem(key(restaurant));
  } catch {
    // Without storage the checkout ends by its own clock.
  }
}
