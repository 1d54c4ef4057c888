import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/client";
import type { CartBegun, CartResult } from "@/api/types";
import { readCart, saveCart } from "@/lib/cart-store";
import { forgetOrders, readOwnOrders } from "@/lib/own-orders";
import { CartReturn } from "./cart-return";

const api = vi.hoisted(() => ({
  confirm: vi.fn<() => Promise<CartResult>>(),
  retry: vi.fn(() => new Promise<never>(() => undefined)),
  resume: vi.fn<() => Promise<CartBegun>>(),
}));
vi.mock("../api/confirm-checkout", () => ({ confirmCheckout: api.confirm }));
vi.mock("../api/get-checkout", () => ({ getCheckout: api.confirm }));
vi.mock("../api/retry-cart-item", () => ({ retryCartItem: api.retry }));
vi.mock("@/lib/processor", async (original) => ({
  ...(await original<typeof import("@/lib/processor")>()),
  loadProcessor: () => new Promise(() => undefined),
}));
vi.mock("../api/resume-checkout", () => ({ resumeCheckout: api.resume }));

const ITEM = { offerId: "dish-1", name: "Ravioli", unitCents: 1800, quantity: 1 };

function result(status: "open" | "held"): CartResult {
  const item = { offerId: "dish-1", preorderId: "order-1", name: "Ravioli", quantity: 1, status };
  return {
    status,
    address: "184 Mulberry Street",
    items: [
      {
        ...item,
        message: "",
        subtotal: "18.00",
        tax: "1.44",
        totalAmount: "18.00",
        chargeTerms: "Charged Tue, Nov 24 if 12 are ordered.",
        served: "Wed, Nov 25 · Dine in",
        seatsSentence: "1 more and it's on",
        orderUrl: "http://luigis.test/order/t1",
        shareUrl: "http://luigis.test/specials/dish-1?ref=r1",
        code: "E1D15953",
        serveDate: "2099-11-25",
        isShort: false,
      },
    ],
  } as never;
}

async function comeBack(outcome: string, status: "open" | "held"): Promise<void> {
  const from = outcome && `&redirect_status=${outcome}`;
  history.replaceState(null, "", `/cart/return?checkout=c1${from}`);
  api.confirm.mockResolvedValue(result(status));
  await comeBackTo();
}

async function comeBackTo(): Promise<void> {
  render(
    <CartReturn restaurant="r1" checkoutId="c1" publishableKey="pk" cardScriptUrl="/stripe.js" />,
  );
  await screen.findAllByText(/Ravioli|Payment Failed/);
}

beforeEach(() => {
  api.retry.mockClear();
  api.confirm.mockClear();
  saveCart("r1", [ITEM as never]);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
});

test("a check that failed says so and leads back to the cart, which stays", async () => {
  await comeBack("failed", "open");
  expect(screen.getByText("Payment Failed")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to your cart" }).getAttribute("href")).toBe(
    "/specials?rid=r1",
  );
  expect(readCart("r1")).toHaveLength(1);
});

test("what the server holds counts, whatever the address says", async () => {
  await comeBack("failed", "held");
  expect(screen.queryByText("Payment Failed")).toBeNull();
  expect(screen.getByText("Wed, Nov 25 · Dine in")).toBeTruthy();
  expect(screen.getByText("1 more and it's on")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You're in!");
  expect(readCart("r1")).toHaveLength(0);
});

test("an order that is held leads to its page, which has everything else", async () => {
  await comeBack("succeeded", "held");
  const [view] = within(screen.getByRole("listitem")).getAllByRole("link");
  expect(view?.textContent).toBe("View order Ravioli");
  expect(view?.getAttribute("href")).toBe("http://luigis.test/order/t1");
  expect(within(screen.getByRole("listitem")).queryByRole("button")).toBeNull();
  expect(screen.getByText(/we're holding \$18.00 on your card/)).toBeTruthy();
  expect(screen.getByText("184 Mulberry Street")).toBeTruthy();
  expect(screen.getByText("E1D15953")).toBeTruthy();
});

test("each special that is still short invites friends, the first one as what to do next", async () => {
  const [ravioli] = result("held").items;
  const items = ["Ravioli", "Gnocchi", "Risotto"].map((name) => ({
    ...ravioli,
    name,
    preorderId: name,
    isShort: name !== "Ravioli",
  }));
  api.confirm.mockResolvedValue({ status: "held", items } as never);
  await comeBackTo();
  const invites = screen.getAllByRole("button", { name: /^Invite friends/ });
  expect(invites.map(({ textContent, className }) => [textContent, className])).toEqual([
    ["Invite friends Gnocchi", "button button-primary button-small"],
    ["Invite friends Risotto", "button button-small"],
  ]);
  expect(invites[0]?.dataset.share).toBe("http://luigis.test/specials/dish-1?ref=r1");
});

test("nobody is invited while another special needs the guest's card", async () => {
  const [item] = result("held").items;
  const declined = { ...item, preorderId: "order-2", name: "Gnocchi", status: "declined" };
  const items = [{ ...item, isShort: true }, declined];
  api.confirm.mockResolvedValue({ status: "partly", items } as never);
  await comeBackTo();
  expect(screen.queryByRole("button", { name: /^Invite/ })).toBeNull();
});

test("orders that are all held are counted in the title, and what holds them is said once", async () => {
  const [item] = result("held").items;
  const other = { ...item, preorderId: "order-2", name: "Gnocchi" };
  api.confirm.mockResolvedValue({ status: "held", items: [item, other] } as never);
  await comeBackTo();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You're in for 2 dishes!");
  expect(screen.getAllByText(/held|holding/i)).toHaveLength(1);
  expect(screen.getByText(/we're holding \$36.00 on your card/)).toBeTruthy();
});

test("an order that is held says so while another one isn't", async () => {
  const [item] = result("held").items;
  const declined = { ...item, preorderId: "order-2", name: "Gnocchi", status: "declined" };
  api.confirm.mockResolvedValue({ status: "partly", items: [item, declined] } as never);
  await comeBackTo();
  expect(screen.getByText("Held")).toBeTruthy();
  expect(screen.getByText("Declined")).toBeTruthy();
});

test("held orders are remembered on the device at once, and each one once", async () => {
  const [item] = result("held").items;
  const own = { ...item, orderUrl: new URL("/order/t1:1", location.href).href };
  const far = { ...item, preorderId: "order-2", code: "F2", name: "Gnocchi" };
  const open = { ...item, preorderId: "order-3", code: "A3", name: "Bigoli", status: "open" };
  api.confirm.mockResolvedValue({ status: "partly", items: [own, far, open] } as never);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await comeBackTo();
  await vi.waitFor(() => expect(readOwnOrders()).not.toEqual([]));
  expect(readOwnOrders()).toEqual([
    {
      code: "E1D15953",
      path: "/order/t1:1",
      name: "Ravioli",
      day: "2099-11-25",
      when: "Wed, Nov 25 · Dine in",
      special: "dish-1",
      portions: 1,
    },
  ]);
  forgetOrders();
  await vi.advanceTimersByTimeAsync(5000); // the open one is asked about again
  expect(api.confirm.mock.calls.length).toBeGreaterThan(1);
  expect(readOwnOrders()).toEqual([]);
});

test("an order that waits for its bank offers nothing to open or share", async () => {
  await comeBack("succeeded", "open");
  expect(screen.queryByRole("button", { name: /Share/ })).toBeNull();
  expect(screen.queryByRole("link", { name: /order|Calendar/ })).toBeNull();
  expect(screen.queryByText(/on your card/)).toBeNull();
});

test("a check that passed waits for its items to be held", async () => {
  await comeBack("succeeded", "open");
  expect(screen.queryByText("Payment Failed")).toBeNull();
  expect(screen.getByRole("list", { name: "Result for each special" })).toBeTruthy();
});

test("who comes to pay is asked for a card, and not told to wait for a bank", async () => {
  await comeBack("", "open");
  expect(screen.getByText("Your order hasn't been placed yet")).toBeTruthy();
  expect(screen.queryByText(/checking with your bank/)).toBeNull();
  expect(api.retry).toHaveBeenCalledTimes(1);
});

test("who comes back from a bank is not asked for a card", async () => {
  await comeBack("succeeded", "open");
  expect(screen.getByText(/checking with your bank/)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Your orders");
  expect(api.retry).not.toHaveBeenCalled();
});

function two(): CartResult {
  const [item] = result("open").items;
  return {
    status: "open",
    items: [item, { ...item, preorderId: "order-2", name: "Gnocchi" }],
  } as never;
}

async function openCart(): Promise<void> {
  history.replaceState(null, "", "/cart/return?checkout=c1");
  api.confirm.mockResolvedValue(two());
  render(
    <CartReturn restaurant="r1" checkoutId="c1" publishableKey="pk" cardScriptUrl="/stripe.js" />,
  );
  await screen.findAllByText(/Gnocchi/);
}

test("who comes back to pay for several specials is asked for their card", async () => {
  api.resume.mockResolvedValue({
    clientSecret: "seti_1_secret_2",
    mandate: "No charge today.\nYou allow it.",
    totalAmount: "38.88",
    expiresAt: "2030-01-01T00:00:00Z",
    items: two().items,
  } as never);
  await openCart();
  const total = screen.getByText("with $2.88 tax").closest("summary");
  expect(total?.textContent).toBe("2 disheswith $2.88 tax $38.88");
  expect(screen.getAllByText("Charged Tue, Nov 24 if 12 are ordered.")).toHaveLength(2);
  expect(screen.queryByText(/checking with your bank/)).toBeNull();
});

test("several specials that wait for their bank are not asked for a card again", async () => {
  api.resume.mockRejectedValue(
    new ApiError(409, "Conflict", JSON.stringify({ code: "conflict", errors: [] })),
  );
  await openCart();
  expect(screen.getByText(/checking with your bank/)).toBeTruthy();
});
