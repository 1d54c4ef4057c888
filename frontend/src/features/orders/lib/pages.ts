import type { InfiniteData } from "@tanstack/react-query";
import type { Order, OrderPage, ServeDay } from "@/api/types";

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
 * The list after its page `index` was read again. New orders of its days push older ones off its
 * end; those stay, since the next page still begins where it began. Null: so much is new that orders
 * between the two would be missing, and everything has to be read again.
 */
export function withFreshPage(
  data: OrderPages,
  index: number,
  fresh: OrderPage,
  today: string,
): OrderPages | null {
  const old = data.pages[index];
  if (!old) return data;
  const upTo = {
    pages: [...data.pages.slice(0, index), fresh],
    pageParams: data.pageParams.slice(0, index + 1),
  };
  const last = fresh.orders.at(-1);
  if (!fresh.nextCursor || !last) return upTo;
  const first = old.orders[0];
  if (first && comesAfter(first, last, today)) {
    return index === data.pages.length - 1 ? upTo : null;
  }
  const pushedOff = old.orders.filter((order) => comesAfter(order, last, today));
  const page: OrderPage = pushedOff.length
    ? {
        ...fresh,
        orders: [...fresh.orders, ...pushedOff],
        shownDays: [...daysOf([fresh, old]).values()],
        nextCursor: old.nextCursor,
      }
    : fresh;
  return { ...data, pages: data.pages.map((each, at) => (at === index ? page : each)) };
}

/**
 * The API's order by serve day: today and the next days first, then the past ones, the latest first;
 * within a day by the moment of ordering, newest first, then by id.
 */
function comesAfter(one: Order, other: Order, today: string): boolean {
  const [day, otherDay] = [one.offerServeDate, other.offerServeDate];
  if (day !== otherDay) {
    if (day >= today && otherDay >= today) return day > otherDay;
    return day < otherDay;
  }
  const apart = Date.parse(one.createdAt) - Date.parse(other.createdAt);
  return apart < 0 || (apart === 0 && one.id < other.id);
}

/** The totals of each serve day that is shown; the first page that has a day is read most often. */
export function daysOf(pages: OrderPage[]): Map<string, ServeDay> {
  const days = new Map<string, ServeDay>();
  for (const each of pages.flatMap(({ shownDays }) => shownDays)) {
    if (!days.has(each.day)) days.set(each.day, each);
  }
  return days;
}

/** Orders in `fresh` that are newer than anything that was shown. */
export function arrivals(shown: OrderPage[], fresh: OrderPage): Order[] {
  if (shown.length === 0) return [];
  const known = shown.flatMap(({ orders }) => orders);
  const ids = new Set(known.map(({ id }) => id));
  const newest = Math.max(...known.map(({ createdAt }) => Date.parse(createdAt)));
  return fresh.orders.filter(
    ({ id, createdAt }) => !ids.has(id) && Date.parse(createdAt) >= newest,
  );
}
