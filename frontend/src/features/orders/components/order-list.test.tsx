import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Order, OrderPage } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { anOrder, serving } from "../testing";
import { OrderList } from "./order-list";

const maria = anOrder();
const ben = anOrder({
  id: "22222222-2222-4222-8222-2222abcd2346",
  code: "ABCD2346",
  customerName: "Ben Gold",
  status: "pending",
  statusLabel: "Pending",
  paymentStatus: "authorized",
  paymentLabel: "Card held",
  note: "No nuts, please",
  serviceMode: "pickup",
  createdAt: "2026-11-20T11:00:00Z",
  actions: ["cancel", "note"],
});

function page(orders: Order[], nextCursor: string | null = null, total = orders.length): OrderPage {
  return {
    orders,
    nextCursor,
    totals: { rows: total, orders: total, portions: 2 * total },
    days: [],
    shownDays: [],
  };
}

const queries = createQueryClient;

function list(client: ReturnType<typeof queries>, version = "1", initial?: OrderPage) {
  return (
    <QueryClientProvider client={client}>
      <OrderList
        initial={initial}
        offers={[]}
        timeZone="America/New_York"
        canFulfill
        canEdit
        canExport
        version={version}
      />
      <Toaster />
    </QueryClientProvider>
  );
}

function show(initial?: OrderPage) {
  const client = queries();
  const { rerender } = render(list(client, "1", initial));
  return { change: (version: string) => rerender(list(client, version, initial)) };
}

function serve(answers: Parameters<typeof serving>[0]) {
  const server = serving(answers);
  vi.stubGlobal("fetch", server.fetch);
  return server.calls;
}

const row = (name: RegExp) => screen.getByRole("row", { name });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const tick = (name: RegExp) => fireEvent.click(screen.getByRole("checkbox", { name }));

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  history.replaceState(null, "", "/restaurant?tab=orders");
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a row says who, what, when, how much and where it stands; the totals are the filter's", () => {
  show(page([maria, ben], "more", 42));
  const first = row(/Maria Rossi/);
  for (const words of ["ABCD2345", "2 × Osso buco", "Any time", "$38.88", "Confirmed"]) {
    expect(first.textContent).toContain(words);
  }
  expect(row(/Ben Gold/).textContent).toContain("No nuts, please");
  expect(row(/Ben Gold/).textContent).toContain("Any timePickup");
  expect(row(/Maria Rossi/).textContent).not.toContain("Pickup");
  expect(screen.getByText("42 orders, 84 portions")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Maria Rossi" }).getAttribute("href")).toBe(
    `/restaurant/orders/${maria.id}`,
  );
});

test("orders stand under their serve day, which says its sum and leads to its kitchen sheet", () => {
  vi.useFakeTimers({ now: new Date("2026-11-24T15:00:00Z"), toFake: ["Date"] });
  const late = anOrder({ id: "late", customerName: "Cleo Late", offerServeDate: "2026-11-26" });
  const past = anOrder({ id: "past", customerName: "Dan Past", offerServeDate: "2025-11-20" });
  const days = [
    { day: "2026-11-24", orders: 12, portions: 30 },
    { day: "2026-11-26", orders: 1, portions: 2 },
    { day: "2025-11-20", orders: 0, portions: 0 },
  ];
  show({ ...page([maria, ben, late, past]), shownDays: days });
  const headings = screen.getAllByRole("heading", { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "Today, Tue, Nov 24",
    "Thu, Nov 26",
    "Thu, Nov 20, 2025",
  ]);
  expect(row(/Today, Tue, Nov 24/).textContent).toContain("12 orders, 30 portions");
  const sheets = screen.getAllByRole("link", { name: /Kitchen sheet for/ });
  expect(sheets.map((link) => link.getAttribute("href"))).toEqual([
    "/restaurant/kitchen?day=2026-11-24",
    "/restaurant/kitchen?day=2026-11-26",
  ]);
});

test("typing asks once, after a pause, and stands in the address", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const calls = serve({ "GET /api/orders?q=ben": [200, page([ben])] });
  show(page([maria, ben]));
  const search = screen.getByRole("searchbox", { name: "Search" });
  for (const text of ["b", "be", "ben "]) {
    fireEvent.change(search, { target: { value: text } });
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  expect(calls).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(60));
  await waitFor(() => expect(screen.queryByRole("row", { name: /Maria/ })).toBeNull());
  expect(calls.map(({ path }) => path)).toEqual(["/api/orders?q=ben&sort=serve_day"]);
  expect(location.search).toBe("?tab=orders&q=ben");
  expect((search as HTMLInputElement).value).toBe("ben ");
});

test("filters come from the address; when nothing fits they are cleared with a press", async () => {
  history.replaceState(null, "", "/restaurant?tab=orders&status=no_show");
  serve({
    "GET /api/orders?status=no_show": [200, page([])],
    "GET /api/orders": [200, page([maria])],
  });
  show();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "No-show" }).checked).toBe(true);
  await screen.findByText("No matching orders");
  press("Clear filters");
  await screen.findByRole("row", { name: /Maria Rossi/ });
  expect(location.search).toBe("?tab=orders");
});

test("an empty list says where orders come from", () => {
  show(page([]));
  expect(screen.getByText("No orders yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Add phone order" })).toBeTruthy();
});

test("when the list cannot be loaded it can be tried again", async () => {
  const answers = { "GET /api/orders": "no connection" as Parameters<typeof serving>[0][string] };
  serve(answers);
  show();
  await screen.findByText(/couldn't load your orders/);
  answers["GET /api/orders"] = [200, page([maria])];
  press("Try again");
  await screen.findByRole("row", { name: /Maria Rossi/ });
  expect(screen.queryByText(/could not be loaded/)).toBeNull();
});

test("a new order appears by itself and is told", async () => {
  const late = anOrder({
    id: "33333333-3333-4333-8333-3333abcd2347",
    customerName: "Cleo Late",
    createdAt: "2026-11-20T13:00:00Z",
  });
  serve({ "GET /api/orders": [200, page([late, maria, ben])] });
  const { change } = show(page([maria, ben]));
  change("2");
  await screen.findByRole("row", { name: /Cleo Late/ });
  expect(screen.getByText("1 new order").getAttribute("role")).toBe("status");
  expect(screen.getByText("3 orders, 6 portions")).toBeTruthy();
});

test("a long list is followed by its first page alone", async () => {
  const calls = serve({
    "GET /api/orders": [200, page([maria], "after", 2)],
    "GET /api/orders?cursor=after": [200, page([ben], null, 2)],
  });
  const { change } = show(page([maria], "after", 2));
  press("Show more");
  await screen.findByRole("row", { name: /Ben Gold/ });
  calls.length = 0;
  change("2");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.path).toBe("/api/orders?sort=serve_day");
  expect(row(/Ben Gold/)).toBeTruthy();
});

test("picking up many is one call for those that allow it; refusals are told by name", async () => {
  const calls = serve({
    "POST /api/orders/bulk": [
      200,
      {
        done: [],
        refused: [{ id: maria.id, code: "ABCD2345", message: "It was canceled meanwhile." }],
      },
    ],
    "GET /api/orders": [200, page([maria, ben])],
  });
  show(page([maria, ben]));
  tick(/Select all/);
  expect(screen.getByText("2 orders selected")).toBeTruthy();
  press("Picked up (1)");
  await screen.findByText(/Maria Rossi ABCD2345: It was canceled meanwhile\./);
  expect(calls[0]?.body).toEqual({ action: "pick_up", ids: [maria.id], reason: "" });
});

test("canceling many asks first and says what happens to the money", async () => {
  const calls = serve({
    "POST /api/orders/bulk": [200, { done: [ben.id], refused: [] }],
    "GET /api/orders": [200, page([maria])],
  });
  show(page([maria, ben]));
  tick(/Ben Gold/);
  press("Cancel");
  const dialog = screen.getByRole("dialog", { name: "Cancel: 1 order" });
  expect(dialog.textContent).toContain("We'll release 1 hold and charge no one.");
  expect(calls).toEqual([]);
  fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: "Oven broke" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Cancel 1 order" }));
  await screen.findByText("1 order being canceled");
  expect(calls[0]?.body).toEqual({ action: "cancel", ids: [ben.id], reason: "Oven broke" });
});

test("a guest without an email address is to be called, not emailed", () => {
  show(page([{ ...ben, customerEmail: "" }]));
  tick(/Ben Gold/);
  press("Cancel");
  const dialog = screen.getByRole("dialog", { name: "Cancel: 1 order" });
  expect(dialog.textContent).toContain("1 guest left no email address, so call them.");
  expect(dialog.textContent).not.toContain("We'll email");
});

test("a lost answer keeps the dialog with what was typed and says that nothing is done twice", async () => {
  serve({
    "POST /api/orders/bulk": "no connection",
    "GET /api/orders": [200, page([maria, ben])],
  });
  show(page([maria, ben]));
  tick(/Maria Rossi/);
  press("Refund");
  const dialog = screen.getByRole("dialog", { name: "Refund: 1 order" });
  expect(dialog.textContent).toContain("We'll refund $38.88 to 1 guest");
  fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: "Burnt" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Refund 1 order" }));
  await within(dialog).findByText(/trying again won't repeat them/);
  expect(within(dialog).getByLabelText<HTMLInputElement>(/Reason/).value).toBe("Burnt");
});

test("an order opens above the list by its own address, and back closes it", async () => {
  serve({ "GET /api/orders/": [404, { message: "Not found", errors: [] }] });
  show(page([maria, ben]));
  fireEvent.click(screen.getByRole("link", { name: "Maria Rossi" }));
  expect(location.pathname).toBe(`/restaurant/orders/${maria.id}`);
  await screen.findByText(/We couldn't find this order/);
  history.replaceState(null, "", "/restaurant?tab=orders");
  act(() => void window.dispatchEvent(new PopStateEvent("popstate")));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
