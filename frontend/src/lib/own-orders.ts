/**
 * The orders placed in this browser, without an account, with their links, which show nothing personal
 * (decision 55). They are stored here alone, until two days after the dinner or until the guest presses
 * "forget".
 */

export interface OwnOrder {
  code: string;
  path: string;
  name: string;
  /** The serve date, `2026-11-25`, and when and how it is served, in the guest's words. */
  day: string;
  when: string;
  /** The special's id, and whether the order came with a friend's link. */
  special?: string;
  joined?: boolean;
  portions?: number;
}

/** Dispatched when they change in this tab. */
export const OWN_ORDERS_CHANGED = "own-orders-changed";

export const OWN_ORDERS_KEY = "own-orders";
const AT_MOST = 12;
const DAYS_AFTER = 2;

function isOwnOrder(value: unknown): value is OwnOrder {
  const order = value as OwnOrder | null;
  return (
    [order?.code, order?.name, order?.day, order?.when].every((each) => typeof each === "string") &&
    /^\/order\/[^/?#]+$/.test(order?.path ?? "")
  );
}

/** Those whose dinner isn't long over, the next one first. */
export function readOwnOrders(now = new Date()): OwnOrder[] {
  const oldest = new Date(now.getTime() - DAYS_AFTER * 24 * 60 * 60 * 1000);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(OWN_ORDERS_KEY) ?? "[]");
    const orders = Array.isArray(stored) ? stored.filter(isOwnOrder) : [];
    return orders
      .filter(({ day }) => day >= oldest.toISOString().slice(0, 10))
      .sort((one, other) => one.day.localeCompare(other.day));
  } catch {
    return [];
  }
}

function save(orders: OwnOrder[]): void {
  try {
    if (orders.length > 0) localStorage.setItem(OWN_ORDERS_KEY, JSON.stringify(orders));
    else localStorage.removeItem(OWN_ORDERS_KEY);
  } catch {
    // Storage is off: the emails have the links.
  }
  dispatchEvent(new Event(OWN_ORDERS_CHANGED));
}

/** Remembers orders; one that is known already gets its newest link. */
export function rememberOrders(orders: OwnOrder[]): void {
  save([...orders, ...without(orders)].slice(0, AT_MOST));
}

/** Forgets these orders, or all. */
export function forgetOrders(orders?: Pick<OwnOrder, "code">[]): void {
  save(orders ? without(orders) : []);
}

const without = (orders: Pick<OwnOrder, "code">[]): OwnOrder[] =>
  readOwnOrders().filter(({ code }) => !orders.some((each) => each.code === code));
