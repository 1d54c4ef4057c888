/**
 * The orders placed in this browser, without an account, with their links, which show nothing personal
 * (decision 55), and the waitlist entries. They are stored here alone, until two days after the dinner
 * (entries: until the waitlist closes) or until the guest removes them.
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
  /** Its special goes ahead, as far as is known; of an entry, that it's the guest's turn. */
  on?: boolean;
  /** Nothing of it is to come: it was canceled, or is over. */
  ended?: boolean;
  /** Its state in the guest's words, and until when that can be said, in ISO 8601. */
  inShort?: string;
  until?: string;
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
    /^\/(order|waitlist)\/[^/?#]+$/.test(order?.path ?? "")
  );
}

/** Whether it is an entry of a waitlist, and not an order. */
export const isWaiting = ({ path }: OwnOrder): boolean => path.startsWith("/w");

/** Whether what it says of its state can still be true. */
export const isCurrent = ({ until }: OwnOrder, now = new Date()): boolean =>
  !until || new Date(until) > now;

/** The next one first; those that ended last. */
const byTurn = (one: OwnOrder, other: OwnOrder): number =>
  Number(one.ended ?? false) - Number(other.ended ?? false) || one.day.localeCompare(other.day);

/** Those whose dinner isn't long over, in their order. */
export function readOwnOrders(now = new Date()): OwnOrder[] {
  const oldest = new Date(now.getTime() - DAYS_AFTER * 24 * 60 * 60 * 1000);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(OWN_ORDERS_KEY) ?? "[]");
    const orders = Array.isArray(stored) ? stored.filter(isOwnOrder) : [];
    return orders
      .filter(({ day }) => day >= oldest.toISOString().slice(0, 10))
      .filter((order) => !isWaiting(order) || isCurrent(order, now))
      .sort(byTurn);
  } catch {
    return [];
  }
}

/** Those of a special that are to come. */
export const ownOf = (id: string | undefined): OwnOrder[] =>
  readOwnOrders().filter(({ special, ended }) => special === id && !ended);

function save(orders: OwnOrder[]): void {
  try {
    if (orders.length > 0) localStorage.setItem(OWN_ORDERS_KEY, JSON.stringify(orders));
    else localStorage.removeItem(OWN_ORDERS_KEY);
  } catch {
    // Storage is off: the emails have the links.
  }
  dispatchEvent(new Event(OWN_ORDERS_CHANGED));
}

/** Remembers orders, also those that ended, as far as `readOwnOrders` goes back; one that is known
 * already gets its newest link, and who has just ordered a special no longer waits for it. */
export function rememberOrders(orders: OwnOrder[]): void {
  const known = readOwnOrders();
  const fresh = orders.filter(
    ({ code, ended }) => !ended && !known.some((each) => each.code === code),
  );
  const others = without(orders).filter(
    (each) => !isWaiting(each) || !fresh.some(({ special }) => special === each.special),
  );
  save([...orders, ...others].sort(byTurn).slice(0, AT_MOST));
}

/** Ends orders that are known; their pages can still be found. A waitlist entry that ended leads
 * nowhere and is forgotten. */
export function endOrders(ended: Pick<OwnOrder, "code" | "inShort">[]): void {
  const known = readOwnOrders().flatMap((order) => {
    const now = ended.find(({ code }) => code === order.code);
    if (!now) return [order];
    if (isWaiting(order)) return [];
    // The cart knows that it ended, and only the order's page how.
    const inShort = now.inShort ?? (order.ended ? order.inShort : undefined);
    return [{ ...order, ...now, inShort, until: undefined, on: false, ended: true }];
  });
  save(known.sort(byTurn));
}

/** Forgets these orders, or all. */
export function forgetOrders(orders?: Pick<OwnOrder, "code">[]): void {
  save(orders ? without(orders) : []);
}

const without = (orders: Pick<OwnOrder, "code">[]): OwnOrder[] =>
  readOwnOrders().filter(({ code }) => !orders.some((each) => each.code === code));
