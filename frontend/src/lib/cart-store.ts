/**
 * The cart of one restaurant, kept until the tab is closed, so that a reload loses nothing. Names,
 * cards and whatever else is personal never stand here; notes and choices belong to a line.
 */

export interface CartLine {
  offerId: string;
  name: string;
  /** What a portion cost when it was put in; the server says what it costs now. */
  unitCents: number;
  quantity: number;
  note?: string;
  slotId?: number;
  /** Serve the alternative should the minimum be missed, in place of letting the hold go. */
  alternative?: boolean;
}

/** Said by the page when the cart is to be opened, and where. */
export const OPEN_CART = "open-cart";

export interface CartPlace {
  restaurant: string;
  /** What had the focus, and gets it back. */
  opener: HTMLElement;
}

/** Heard by the page when lines change, whoever changed them. */
export const CART_CHANGED = "cart-changed";

const key = (restaurant: string) => `cart:${restaurant}`;

function isLine(value: unknown): value is CartLine {
  const line = value as CartLine | null;
  return (
    typeof line?.offerId === "string" &&
    typeof line.name === "string" &&
    line.unitCents >= 0 &&
    line.quantity >= 1
  );
}

/** The lines that are kept; none when there is no storage or what it holds is damaged. */
export function readCart(restaurant: string): CartLine[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key(restaurant)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isLine) : [];
  } catch {
    return [];
  }
}

export function keepCart(restaurant: string, lines: CartLine[]): void {
  try {
    sessionStorage.setItem(key(restaurant), JSON.stringify(lines));
  } catch {
    // Without storage the cart lasts as long as the page.
  }
  dispatchEvent(new Event(CART_CHANGED));
}

/** With `line` added: a special stands in a cart once, and its newest wishes count. */
export function withLine(lines: CartLine[], line: CartLine, most: number): CartLine[] {
  const before = lines.find(({ offerId }) => offerId === line.offerId);
  const quantity = Math.min(most, line.quantity + (before?.quantity ?? 0));
  const merged = { ...before, ...line, quantity };
  return before ? lines.map((each) => (each === before ? merged : each)) : [...lines, merged];
}

/** Portions and what they cost before tax. */
export function cartFigures(lines: CartLine[]) {
  let portions = 0;
  let cents = 0;
  for (const { quantity, unitCents } of lines) {
    portions += quantity;
    cents += quantity * unitCents;
  }
  return { portions, cents };
}
