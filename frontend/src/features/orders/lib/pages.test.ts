import { expect, test } from "vitest";
import type { Order, OrderPage } from "@/api/types";
import { anOrder } from "../testing";
import {
  arrivals,
  daysOf,
  type OrderPages,
  withFreshPage as refreshed,
  withOrder,
  withoutRepeats,
} from "./pages";

const TODAY = "2026-11-24";
const withFreshPage = (data: OrderPages, index: number, fresh: OrderPage) =>
  refreshed(data, index, fresh, TODAY);

/** Order number 9 is newer than number 1. */
function order(number: number, change: Partial<Order> = {}): Order {
  return anOrder({ id: `${number}`, createdAt: `2026-11-20T12:0${number}:00Z`, ...change });
}

function page(numbers: number[], nextCursor: string | null): OrderPage {
  return {
    orders: numbers.map((number) => order(number)),
    nextCursor,
    totals: { rows: numbers.length, orders: numbers.length, portions: 2 * numbers.length },
    days: [],
    shownDays: [],
  };
}

const list = (...pages: OrderPage[]): OrderPages => ({
  pages,
  pageParams: pages.map((_, index) => (index ? `cursor ${index}` : null)),
});
const numbers = (data: OrderPages | null) =>
  data?.pages.map(({ orders }) => orders.map(({ id }) => id));

test("new orders come on top, and those they push off the first page stay", () => {
  const shown = list(page([6, 5, 4], "after 4"), page([3, 2], null));
  const after = withFreshPage(shown, 0, page([8, 7, 6], "after 6"));
  expect(numbers(after)).toEqual([
    ["8", "7", "6", "5", "4"],
    ["3", "2"],
  ]);
  expect(after?.pages[0]?.nextCursor).toBe("after 4");
});

test("an order that no longer fits the filters leaves the first page", () => {
  const shown = list(page([6, 5, 4], "after 4"), page([3, 2], null));
  expect(numbers(withFreshPage(shown, 0, page([6, 4, 3], "after 3")))).toEqual([
    ["6", "4", "3"],
    ["3", "2"],
  ]);
});

test("when more is new than a page holds, everything has to be read again", () => {
  const shown = list(page([3, 2], "after 2"), page([1], null));
  expect(withFreshPage(shown, 0, page([9, 8, 7], "after 7"))).toBeNull();
});

test("a last page that has become the only one stands alone", () => {
  const shown = list(page([6, 5], "after 5"), page([4], null));
  expect(numbers(withFreshPage(shown, 0, page([6, 5], null)))).toEqual([["6", "5"]]);
});

test("a later page is replaced where it stands", () => {
  const shown = list(page([6, 5], "after 5"), page([4, 3], null));
  const fresh = { ...page([4, 3], null), orders: [order(4, { status: "fulfilled" }), order(3)] };
  expect(withFreshPage(shown, 1, fresh)?.pages[1]?.orders[0]?.status).toBe("fulfilled");
});

test("an order of a later day pushes the last one of its page off, which stays", () => {
  const of = (number: number, day: string) => order(number, { offerServeDate: day });
  const [next, past] = ["2026-11-26", "2026-11-20"];
  const second = { ...page([], "after 3"), orders: [of(4, next), of(3, past)] };
  const shown = list(page([6, 5], "after 5"), second, { ...page([], null), orders: [of(2, past)] });
  const fresh = { ...page([], "after 4"), orders: [of(9, next), of(4, next)] };
  expect(numbers(withFreshPage(shown, 1, fresh))).toEqual([["6", "5"], ["9", "4", "3"], ["2"]]);
});

test("when a later page holds nothing of what it had, everything has to be read again", () => {
  const shown = list(page([9, 8], "after 8"), page([3, 2], "after 2"), page([1], null));
  expect(withFreshPage(shown, 1, page([7, 6], "after 6"))).toBeNull();
});

test("a serve day's sum is that of the first page that has it", () => {
  const on = (orders: number) => [{ day: TODAY, orders, portions: orders }];
  const pages = [
    { ...page([6], "after 6"), shownDays: on(8) },
    { ...page([5], null), shownDays: on(7) },
  ];
  expect(daysOf(pages).get(TODAY)?.orders).toBe(8);
});

test("an order that slid into the next page is shown once", () => {
  const pages = [page([6, 5, 4], "after 4"), page([4, 3], null)];
  expect(withoutRepeats(pages).map((orders) => orders.map(({ id }) => id))).toEqual([
    ["6", "5", "4"],
    ["3"],
  ]);
});

test("only what is newer than the newest shown has arrived", () => {
  expect(arrivals([page([6, 5], null)], page([8, 7, 6], null)).map(({ id }) => id)).toEqual([
    "8",
    "7",
  ]);
  // An older one that fits the filters only now is no new order.
  expect(arrivals([page([6, 4], null)], page([6, 5, 4], null))).toEqual([]);
  expect(arrivals([], page([6], null))).toEqual([]);
});

test("an order that an action answered replaces itself and nothing else", () => {
  const shown = list(page([6, 5], "after 5"), page([4], null));
  const after = withOrder(shown, order(5, { status: "no_show" }));
  expect(after.pages[0]?.orders.map(({ status }) => status)).toEqual(["confirmed", "no_show"]);
  expect(after.pages[1]).toBe(shown.pages[1]);
});
