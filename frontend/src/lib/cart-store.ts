/**
 * The cart of one restaurant, stored until the tab is closed, so that a reload loses nothing. Names,
 * cards and whatever else is personal never stand here; notes and choices belong to a item.
 */

export interface CartItem {
  offerId: string;
  name: string;
  /** A portion's price when it was added; the server knows the current one. */
  unitCents: number;
  quantity: number;
  note?: string;
  slotId?: number;
  /** Serve the alternative if the minimum is missed, instead of releasing the hold. */
  alternative?: boolean;
}

/** Dispatched by the page to open the cart. */
export const OPEN_CART = "open-cart";

export interface CartOpening {
  restaurant: string;
  /** The element that had the focus and gets it back. */
  opener: HTMLElement;
}

/** Dispatched when items change. */
export const CART_CHANGED = "cart-changed";

const key = (restaurant: string) => `cart:${restaurant}`;

function isItem(value: unknown): value is CartItem {
  const item = value as CartItem | null;
  return (
    typeof item?.offerId === "string" &&
    typeof item.name === "string" &&
    item.unitCents >= 0 &&
    item.quantity >= 1
  );
}

/** The items that are stored; none when there is no storage or what it holds is damaged. */
export function readCart(restaurant: string): CartItem[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key(restaurant)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isItem) : [];
  } catch {
    return [];
  }
}

export function saveCart(restaurant: string, items: CartItem[]): void {
  try {
    sessionStorage.setItem(key(restaurant), JSON.stringify(items));
  } catch {
    // Without storage the cart lasts as long as the page.
  }
  dispatchEvent(new Event(CART_CHANGED));
}

/** With `item` added: a special is in a cart once, with its newest choices. */
export function withItem(items: CartItem[], item: CartItem, most: number): CartItem[] {
  const before = items.find(({ offerId }) => offerId === item.offerId);
  const quantity = Math.min(most, item.quantity + (before?.quantity ?? 0));
  const merged = { ...before, ...item, quantity };
  return before ? items.map((each) => (each === before ? merged : each)) : [...items, merged];
}

/** Portions and what they cost before tax. */
export function cartFigures(items: CartItem[]) {
  let portions = 0;
  let cents = 0;
  for (const { quantity, unitCents } of items) {
    portions += quantity;
    cents += quantity * unitCents;
  }
  return { portions, cents };
}
