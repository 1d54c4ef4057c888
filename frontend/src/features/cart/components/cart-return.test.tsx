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
  prepare: vi.fn(),
}));
vi.mock("../api/confirm-checkout", () => ({ confirmCheckout: api.confirm }));
vi.mock("../api/get-checkout", () => ({ getCheckout: api.confirm }));
vi.mock("../api/retry-cart-item", () => ({ retryCartItem: api.retry }));
vi.mock("@/lib/processor", async (original) => ({
  ...(await original<typeof import("@/lib/processor")>()),
  loadProcessor: () => new Promise(() => undefined),
  prepareProcessor: api.prepare,
}));
vi.mock("../api/resume-checkout", () => ({ resumeCheckout: api.resume }));

const ITEM = { offerId: "dish-1", name: "Ravioli", unitCents: 1800, quantity: 1 };

const SEATS = {
  seatsState: "open",
  seatsSentence: "",
  orderedPortions: 11,
  minPreordersRequired: 12,
};

/** Of one special, or of several with that many more of them. */
function result(status: "open" | "held", more = 0): CartResult {
  const item = { offerId: "dish-1", preorderId: "order-1", name: "Ravioli", quantity: 1, status };
  const other = {
    ...item,
    ...{ preorderId: "order-2", name: "Gnocchi", code: "E2", served: "", serveDate: "2099-11-25" },
    orderUrl: "http://luigis.test/order/t2",
  };
  return {
    status,
    address: "184 Mulberry Street",
    directionsUrl: "https://maps.test/184",
    arrivalNotes: ["Ask for Luisa."],
    card: "Visa ending in 4242",
    items: [
      ...Array(more).fill({ ...other, ...SEATS, chargeTerms: "", totalAmount: "2.00" }),
      {
        ...item,
        message: "",
        subtotal: "18.00",
        tax: "1.44",
        totalAmount: "18.00",
        chargeTerms: "We'll charge $18.00 on Tue, Nov 24 if 12 portions are ordered.",
        chargeInBrief: "Charged Tue, Nov 24 if it's on",
        served: "Wed, Nov 25 · Dine in",
        ...SEATS,
        seatsSentence: "1 more and it's on",
        inShort: "Card held",
        inShortUntil: "2099-11-24T23:00:00Z",
        orderUrl: "http://luigis.test/order/t1",
        shareUrl: "http://luigis.test/specials/dish-1?ref=r1",
        shareText: "Ravioli at Luigi's, Wed, Nov 25: $18.00 instead of $24.00. 1 more and it's on",
        calendarUrl: "http://luigis.test/order/t1/calendar.ics",
        code: "E1D15953",
        serveDate: "2099-11-25",
        isShort: false,
      },
    ],
  } as never;
}

/** Back from giving a card; `outcome` is what a bank's own page says. */
async function comeBack(outcome: string, result: CartResult): Promise<void> {
  history.replaceState(
    null,
    "",
    `/cart/return?checkout=c1&given=1${outcome && `&redirect_status=${outcome}`}`,
  );
  api.confirm.mockResolvedValue(result);
  await comeBackTo();
}

const open = () =>
  render(
    <CartReturn restaurant="r1" checkoutId="c1" publishableKey="pk" cardScriptUrl="/stripe.js" />,
  );

/** The special's day, times, and way to eat, which are in parts. */
const served = (text: string) =>
  screen.getByText(
    (_, element) =>
      element?.textContent === text &&
      element.tagName === "SPAN" &&
      element.className === "in-parts",
  );

async function comeBackTo(): Promise<void> {
  open();
  await screen.findAllByText(/Ravioli/);
}

const NOTHING_AWAITED = new ApiError(
  409,
  "Conflict",
  JSON.stringify({ code: "conflict", errors: [] }),
);

beforeEach(() => {
  api.retry.mockClear();
  api.confirm.mockReset();
  api.resume.mockReset();
  api.prepare.mockReset();
  api.resume.mockRejectedValue(NOTHING_AWAITED);
  history.replaceState(null, "", "/cart/return?checkout=c1&given=1");
  saveCart("r1", [ITEM as never]);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ASKED = {
  clientSecret: "pi_1_secret_2",
  mandate: "No charge today.\nYou allow it.",
  totalAmount: "19.44",
  expiresAt: "2030-01-01T00:00:00Z",
  items: result("open").items,
} as never;

test("after a check that failed the card is asked for again, and the cart stays", async () => {
  api.resume.mockResolvedValue(ASKED);
  await comeBack("failed", result("open"));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Payment");
  expect(screen.getByText("Payment System Loading")).toBeTruthy();
  expect(api.confirm).not.toHaveBeenCalled();
  expect(readCart("r1")).toHaveLength(1);
});

test("what the server holds counts, whatever the address says", async () => {
  await comeBack("failed", result("held", 1));
  expect(api.resume).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("Payment Failed")).toBeNull();
  expect(served("Wed, Nov 25 · Dine in")).toBeTruthy();
  expect(screen.getByText("1 more and it's on")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You're in for 2 dishes!");
  expect(readCart("r1")).toHaveLength(0);
});

test("the only order of a checkout, once it is held, is shown on its own page", async () => {
  const replace = vi.fn();
  vi.stubGlobal("location", { ...location, search: "?checkout=c1&given=1", replace });
  api.confirm.mockResolvedValue(result("held"));
  open();
  await vi.waitFor(() => {
    expect(replace).toHaveBeenCalledExactlyOnceWith("http://luigis.test/order/t1?done=ordered");
  });
  expect(readCart("r1")).toHaveLength(0);
});

test("one of several orders has its code, its calendar file, and the way to its page", async () => {
  await comeBack("", result("held", 1));
  const [, own = screen.getByRole("list")] = screen.getAllByRole("listitem");
  const links = within(own).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Calendar Ravioli", "http://luigis.test/order/t1/calendar.ics"],
    ["View or change Ravioli", "http://luigis.test/order/t1"],
  ]);
  expect(within(own).queryByRole("button")).toBeNull();
  expect(within(own).getByText("E1D15953")).toBeTruthy();
  expect(screen.getAllByText("Ask for Luisa.")).toHaveLength(1);
  expect(within(own).getByText("11 of 12 ordered, 1 yours")).toBeTruthy();
  expect(own.querySelectorAll(".seat[data-own]")).toHaveLength(1);
  expect(screen.getByText("Card: Visa ending in 4242")).toBeTruthy();
  expect(screen.getByText(/Your bank is holding \$20.00 on your card/)).toBeTruthy();
  const title = screen.getByText("Payment Successful!"); // the heading says it in other words
  expect(title.getAttribute("aria-hidden")).toBe("true");
  expect(screen.getByText("184 Mulberry Street").getAttribute("href")).toBe(
    "https://maps.test/184",
  );
});

test("what the tab saw of the payment is there before the server answers, with its address", () => {
  const saved = { email: "ana@guests.test", result: result("held", 1) };
  sessionStorage.setItem("result:c1", JSON.stringify(saved));
  api.confirm.mockReturnValue(new Promise(() => undefined));
  open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You're in for 2 dishes!");
  expect(screen.getByText(/We're sending a confirmation email to ana@guests.test/)).toBeTruthy();
});

test("each special that takes orders invites friends, above all the one that is closest to on", async () => {
  const [ravioli] = result("held").items;
  const states = { Ravioli: "on", Farro: "sold_out", Gnocchi: "open", Risotto: "open" } as const;
  const items = Object.entries(states).map(([name, seatsState]) => ({
    ...ravioli,
    name,
    preorderId: name,
    seatsState,
    isShort: seatsState === "open",
    minPreordersRequired: 8,
    orderedPortions: name === "Risotto" ? 7 : 5,
  }));
  api.confirm.mockResolvedValue({ status: "held", items } as never);
  await comeBackTo();
  const invites = screen.getAllByRole("button", { name: /^Invite friends/ });
  expect(invites.map(({ textContent, className }) => [textContent, className])).toEqual([
    ["Invite friends Ravioli", "button button-small"],
    ["Invite friends Gnocchi", "button button-small"],
    ["Invite friends Risotto", "button button-primary button-small"],
  ]);
  expect(invites[2]?.dataset.share).toBe("http://luigis.test/specials/dish-1?ref=r1");
  expect(invites[2]?.dataset.shareText).toContain("$18.00 instead of $24.00. 1 more and it's on");
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
  expect(screen.getByText(/Your bank is holding \$36.00 on your card/)).toBeTruthy();
});

test("an order that is held says so while another one isn't", async () => {
  const [item] = result("held").items;
  const declined = { ...item, preorderId: "order-2", name: "Gnocchi", status: "declined" };
  api.confirm.mockResolvedValue({ status: "partly", items: [item, declined] } as never);
  await comeBackTo();
  expect(screen.getByText("Held")).toBeTruthy();
  expect(screen.getByText("Declined")).toBeTruthy();
});

test("an address that somebody passed on makes nobody's orders the reader's own", async () => {
  const [item] = result("held").items;
  const own = { ...item, orderUrl: new URL("/order/t1:1", location.href).href };
  const other = { ...own, preorderId: "order-2", code: "E2", name: "Gnocchi" };
  api.confirm.mockResolvedValue({ status: "held", items: [own, other] } as never);
  await comeBackTo();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You're in for 2 dishes!");
  expect(readOwnOrders()).toEqual([]);
});

test("held orders are remembered on the device at once, and each one once", async () => {
  sessionStorage.setItem("checkout:r1", "c1");
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
      inShort: "Card held",
      until: "2099-11-24T23:00:00Z",
    },
  ]);
  forgetOrders();
  await vi.advanceTimersByTimeAsync(5000); // the open one is asked about again
  expect(api.confirm.mock.calls.length).toBeGreaterThan(1);
  expect(readOwnOrders()).toEqual([]);
});

test("an order that was canceled meanwhile is not remembered as one to come", async () => {
  const [item] = result("held").items;
  const own = { ...item, orderUrl: new URL("/order/t1:1", location.href).href };
  const other = { ...own, preorderId: "order-2", code: "E2", name: "Gnocchi" };
  const saved = { email: "ana@guests.test", result: { status: "held", items: [own, other] } };
  sessionStorage.setItem("result:c1", JSON.stringify(saved));
  const items = [own, { ...other, status: "ended" }];
  api.confirm.mockResolvedValue({ status: "partly", items } as never);
  open();
  await screen.findByText("Not ordered");
  // An effect, which runs after the page is shown.
  const known = () => readOwnOrders().map(({ name, ended, inShort }) => [name, ended, inShort]);
  await vi.waitFor(() =>
    expect(known()).toEqual([
      ["Ravioli", undefined, "Card held"],
      ["Gnocchi", true, undefined],
    ]),
  );
});

test("an order that waits for its bank offers nothing to open or share", async () => {
  await comeBack("succeeded", result("open"));
  expect(screen.queryByRole("button", { name: /Share/ })).toBeNull();
  expect(screen.queryByRole("link", { name: /order|Calendar/ })).toBeNull();
  expect(screen.queryByText(/on your card/)).toBeNull();
});

test("a check that passed waits for its items to be held", async () => {
  await comeBack("succeeded", result("open"));
  expect(screen.queryByText("Payment Failed")).toBeNull();
  expect(screen.getByRole("list", { name: "Result for each special" })).toBeTruthy();
});

test("who comes to pay is asked for a card, and not told to wait for a bank", async () => {
  history.replaceState(null, "", "/cart/return?checkout=c1");
  api.resume.mockResolvedValue(ASKED);
  await comeBackTo();
  expect(screen.getByText("$19.44")).toBeTruthy();
  expect(served("Wed, Nov 25 · Dine in")).toBeTruthy();
  expect(screen.queryByText(/checking with your bank/i)).toBeNull();
  expect(api.confirm).not.toHaveBeenCalled();
  expect(api.prepare).toHaveBeenCalledTimes(1);
});

test("who comes back from a bank is not asked for a card", async () => {
  await comeBack("succeeded", result("open"));
  expect(screen.getByText(/checking with your bank/)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Your orders");
  expect(api.resume).not.toHaveBeenCalled();
  expect(api.prepare).not.toHaveBeenCalled();
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
  open();
  await screen.findAllByText(/Gnocchi/);
}

/** A window as wide as a phone, or as a laptop. */
const widen = (width: number) => vi.stubGlobal("innerWidth", width);

test.each([360, 1440])(
  "who comes back to pay for several is asked for a card, at %i px",
  async (width) => {
    widen(width);
    api.resume.mockResolvedValue({
      clientSecret: "seti_1_secret_2",
      mandate: "No charge today.\nYou allow it.",
      totalAmount: "38.88",
      expiresAt: "2030-01-01T00:00:00Z",
      address: "1 Mulberry Street",
      items: two().items,
    } as never);
    await openCart();
    const ordered = screen.getByText("Total with $2.88 tax").closest(".cart-head") as HTMLElement;
    expect(ordered.textContent?.startsWith("2 dishesTotal with $2.88 tax $38.88")).toBe(true);
    expect(screen.queryAllByText("Charged Tue, Nov 24 if it's on")).toHaveLength(2);
    expect(screen.getByText("1 Mulberry Street")).toBeTruthy();
    expect(document.querySelector("summary")).toBeNull();
    expect(screen.queryByText(/checking with your bank/)).toBeNull();
  },
);

test("of more than three dishes a phone shows only the names beside the card's number", async () => {
  widen(360);
  const [item] = result("open").items;
  const items = [1, 2, 3, 4].map((number) => ({ ...item, preorderId: `order-${number}` }));
  api.resume.mockResolvedValue({
    mandate: "No charge today.",
    totalAmount: "72.00",
    items,
  } as never);
  history.replaceState(null, "", "/cart/return?checkout=c1");
  api.confirm.mockResolvedValue({ status: "open", items } as never);
  open();
  const names = await screen.findByText("Ravioli · Ravioli · Ravioli · Ravioli");
  expect(names.closest("summary")?.textContent).not.toContain("Charged");
});

test("several specials that wait for their bank are not asked for a card again", async () => {
  await openCart();
  expect(screen.getByText(/checking with your bank/)).toBeTruthy();
});
