/**
 * The id of the checkout that a tab has begun, so that after a reload its portions are released, or its
 * orders shown, before another one is begun.
 */
const key = (restaurant: string) => `checkout:${restaurant}`;

export function savedCheckout(restaurant: string): string | null {
  try {
    return sessionStorage.getItem(key(restaurant));
  } catch {
    return null;
  }
}

export function saveCheckout(restaurant: string, id: string | null): void {
  try {
    if (id) sessionStorage.setItem(key(restaurant), id);
    else sessionStorage.removeItem(key(restaurant));
  } catch {
    // Without storage the checkout ends by its own clock.
  }
}
