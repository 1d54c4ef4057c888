import { orderSum } from "./order-sum";

/**
 * The cart of one restaurant, stored on the device for a day after its last change, so that
 * reloading, closing the tab, or opening a second one loses nothing. Names, cards, and other
 * personal data are never stored here; notes and choices belong to an item.
 */

export type ServiceChoice = "dine_in" | "pickup";

export interface CartItem {
  offerId: string;
  name: string;
  /** A portion's price when it was added; the server knows the current one. */
  unitCents: number;
  /** The deadline for orders, as known when it was added; ISO 8601. */
  closesAt?: string;
  quantity: number;
  note?: string;
  slotId?: number;
  /** Of a special served both ways. */
  serviceMode?: ServiceChoice;
  /** Serve the alternative if the minimum is missed, instead of releasing the hold. */
  alternative?: boolean;
  /** The end of a link for friends, whose reserved portions a wallet takes; never in a stored cart. */
  friendsLink?: string;
  /** Whether that friend sees the guest's first name. */
  showFirstName?: boolean;
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

/** Dispatched by the page to show the wallets' buttons in a special's form. */
export const OFFER_EXPRESS = "offer-express";

/** An offer of a list whose actions are no longer the server's. */
export const OFFER_STALE = "offer-stale";

export interface ExpressOffer {
  restaurant: string;
  form: HTMLFormElement;
  /** The empty element in the form for the buttons and any message about them. */
  place: HTMLElement;
  /** The form's current values. */
  item: () => CartItem;
}

/** Who orders. */
export interface Guest {
  name: string;
  email: string;
  phone: string;
}

/** Where this tab stores who was typed and hasn't ordered yet. */
export const TYPED_GUEST = "guest";

/** Who is typed in a special's form so far. */
export function guestIn(form: HTMLFormElement): Guest {
  const typed = new FormData(form);
  const text = (name: string) => String(typed.get(name) ?? "").trim();
  return { name: text("customerName"), email: text("customerEmail"), phone: text("customerPhone") };
}

const PREFIX = "cart:";
const key = (restaurant: string) => `${PREFIX}${restaurant}`;

/** How long a cart is stored after its last change, in milliseconds. */
const CART_LIFETIME = 24 * 60 * 60 * 1000;

function isItem(value: unknown): value is CartItem {
  const item = value as CartItem | null;
  return (
    typeof item?.offerId === "string" &&
    typeof item.name === "string" &&
    item.unitCents >= 0 &&
    item.quantity >= 1
  );
}

/** The stored items; none if they expired, there is no storage, or it is damaged. */
export function readCart(restaurant: string): CartItem[] {
  try {
    const stored = JSON.parse(localStorage.getItem(key(restaurant)) ?? "null");
    const isFresh = stored?.changedAt > Date.now() - CART_LIFETIME;
    return isFresh && Array.isArray(stored.items) ? stored.items.filter(isItem) : [];
  } catch {
    return [];
  }
}

export function saveCart(restaurant: string, items: CartItem[]): void {
  try {
    if (items.length === 0) localStorage.removeItem(key(restaurant));
    else localStorage.setItem(key(restaurant), JSON.stringify({ changedAt: Date.now(), items }));
  } catch {
    // Without storage the cart lasts as long as the page.
  }
  dispatchEvent(new Event(CART_CHANGED));
}

/** Tells this tab that another one changed a cart; browsers dispatch `storage` only in the other
tabs:
 * https://developer.mozilla.org/en-US/docs/Web/API/Window/storage_event */
export function followOtherTabs(): void {
  addEventListener("storage", ({ key: changed }) => {
    if (changed === null || changed.startsWith(PREFIX)) dispatchEvent(new Event(CART_CHANGED));
  });
}

/** The items with `item` added: a cart holds a special once, with its latest choices. */
export function withItem(items: CartItem[], item: CartItem, most: number): CartItem[] {
  const before = items.find(({ offerId }) => offerId === item.offerId);
  const quantity = Math.min(most, item.quantity + (before?.quantity ?? 0));
  const merged = { ...before, ...item, quantity };
  return before ? items.map((each) => (each === before ? merged : each)) : [...items, merged];
}

/** Portions and what they cost with tax, without the specials that have closed; `taxRate` is in
 * percent. */
export function cartFigures(items: CartItem[], taxRate: string) {
  let portions = 0;
  let cents = 0;
  for (const { quantity, unitCents, closesAt } of items) {
    if (closesAt && Date.parse(closesAt) <= Date.now()) continue;
    portions += quantity;
    cents += orderSum(unitCents, taxRate, quantity).total;
  }
  return { portions, cents };
}
