import type { InfiniteData } from "@tanstack/react-query";
import type { Order, OrderPage } from "@/api/types";

export type OrderPages = InfiniteData<OrderPage, string | null>;

/** The orders of all pages. One that slid from a page into the next is shown once. */
export function withoutRepeats(pages: OrderPage[]): Order[][] {
  const met = new Set<string>();
  return pages.map(({ orders }) => {
    const fresh = orders.filter(({ id }) => !met.has(id));
    for (const { id } of fresh) met.add(id);
    return fresh.length === orders.length ? orders : fresh;
  });
}

/** The same list with this order as it is now. */
export function withOrder(data: OrderPages, order: Order): OrderPages {
  return {
    ...data,
    pages: data.pages.map((page) =>
      page.orders.some(({ id }) => id === order.id)
        ? { ...page, orders: page.orders.map((old) => (old.id === order.id ? order : old)) }
        : page,
    ),
  };
}

/**
 * The list after its page `index` was read again. New orders push older ones off the first page;
 * those are stored, since the second page still begins where it began. Null: so much is new that
 * orders between the two would be missing, and everything has to be read again.
 */
export function withFreshPage(
  data: OrderPages,
  index: number,
  fresh: OrderPage,
): OrderPages | null {
  const old = data.pages[index];
  if (!old) return data;
  if (index > 0) {
    // Its cursor is a moment, so it begins at the same order; the totals are the first page's.
    return { ...data, pages: data.pages.map((page, at) => (at === index ? fresh : page)) };
  }
  const last = fresh.orders.at(-1);
  if (!fresh.nextCursor || !last) return { pages: [fresh], pageParams: [null] };
  const newest = old.orders[0];
  if (newest && isOlder(newest, last)) {
    return data.pages.length === 1 ? { pages: [fresh], pageParams: [null] } : null;
  }
  const pushedOff = old.orders.filter((order) => isOlder(order, last));
  const first: OrderPage = pushedOff.length
    ? { ...fresh, orders: [...fresh.orders, ...pushedOff], nextCursor: old.nextCursor }
    : fresh;
  return { ...data, pages: [first, ...data.pages.slice(1)] };
}

/** The API's order: by the moment of ordering, then by id. */
function isOlder(one: Order, other: Order): boolean {
  const apart = Date.parse(one.createdAt) - Date.parse(other.createdAt);
  return apart < 0 || (apart === 0 && one.id < other.id);
}

/** Orders in `fresh` that are newer than anything that was shown. */
export function arrivals(shown: OrderPage | undefined, fresh: OrderPage): Order[] {
  if (!shown) return [];
  const newest = shown.orders[0]?.createdAt ?? "";
  const known = new Set(shown.orders.map(({ id }) => id));
  return fresh.orders.filter(
    ({ id, createdAt }) =>
      !known.has(id) && (!newest || Date.parse(createdAt) >= Date.parse(newest)),
  );
}
