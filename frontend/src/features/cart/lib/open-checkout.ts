/**
 * The checkout a tab has begun, so that after a reload its portions are given back, or its orders
 * shown, before another one is begun.
 */
export interface OpenCheckout {
  id: string;
  publishableKey: string;
}

const key = (restaurant: string) => `checkout:${restaurant}`;

export function openCheckout(restaurant: string): OpenCheckout | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key(restaurant)) ?? "null");
    return typeof kept?.id === "string" && typeof kept.publishableKey === "string" ? kept : null;
  } catch {
    return null;
  }
}

export function keepCheckout(restaurant: string, checkout: OpenCheckout | null): void {
  try {
    if (checkout) sessionStorage.setItem(key(restaurant), JSON.stringify(checkout));
    else sessionStorage.removeItem(key(restaurant));
  } catch {
    // Without storage the checkout ends by its own clock.
  }
}
