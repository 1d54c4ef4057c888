import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offerExpress } from "./express-checkout";

type Handler = (event: Record<string, unknown>) => void;

const processor = vi.hoisted(() => ({
  load: vi.fn<() => Promise<unknown>>(),
  confirmPayment: vi.fn<() => Promise<{ error?: { message?: string } }>>(),
}));
const api = vi.hoisted(() => ({ begin: vi.fn(), confirm: vi.fn(), leave: vi.fn() }));
vi.mock("@/lib/processor", () => ({ loadProcessor: processor.load, fieldsLook: () => ({}) }));
vi.mock("../api/begin-checkout", () => ({ beginCheckout: api.begin }));
vi.mock("../api/confirm-checkout", () => ({ confirmCheckout: api.confirm }));
vi.mock("../api/leave-checkout", () => ({ leaveCheckout: api.leave }));
vi.mock("../api/get-cart-offers", () => ({
  getCartOffers: () =>
    Promise.resolve({ offers: [{ refusal: "" }], taxRate: "8.00", currency: "usd" }),
}));

const handlers = new Map<string, Handler>();
const assign = vi.fn<(address: string) => void>();
const tell = (event: string, detail: Record<string, unknown> = {}) => handlers.get(event)?.(detail);
const settle = () => new Promise((done) => setTimeout(done));

/** Presses a wallet's button; whether its sheet may open. */
function press(): boolean {
  const resolve = vi.fn();
  tell("click", { resolve, reject: vi.fn() });
  return resolve.mock.calls.length === 1;
}

beforeEach(async () => {
  vi.stubGlobal("location", { href: location.href, origin: location.origin, assign });
  document.body.innerHTML = "<form><div></div></form>";
  const form = document.querySelector("form") as HTMLFormElement;
  const place = form.firstElementChild as HTMLElement;
  processor.load.mockResolvedValue({
    elements: () => ({
      create: () => ({
        on: (name: string, handler: Handler) => handlers.set(name, handler),
        mount: () => {},
      }),
      submit: () => Promise.resolve({}),
      update: () => {},
    }),
    confirmPayment: processor.confirmPayment,
  });
  processor.confirmPayment.mockResolvedValue({});
  api.begin.mockResolvedValue({ checkoutId: "c1", publishableKey: "pk", clientSecret: "s" });
  api.confirm.mockResolvedValue({
    items: [{ status: "held", orderUrl: "http://luigis.test/order/1" }],
  });
  await offerExpress({
    restaurant: "luigis",
    form,
    place,
    item: () => ({ offerId: "o1", name: "Osso Buco", unitCents: 2600, quantity: 1 }),
  });
});

afterEach(() => {
  handlers.clear();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

test("a wallet confirmed twice begins one order", async () => {
  tell("confirm", {});
  tell("confirm", {});
  await settle();
  expect(api.begin).toHaveBeenCalledTimes(1);
  expect(assign.mock.calls).toEqual([["http://luigis.test/order/1?done=ordered"]]);
});

test("no wallet opens while the page goes to the order", async () => {
  expect(press()).toBe(true);
  tell("confirm", {});
  await settle();
  expect(press()).toBe(false);
});

test("a wallet opens again when the guest comes back to the page", async () => {
  tell("confirm", {});
  await settle();
  dispatchEvent(new Event("pageshow"));
  expect(press()).toBe(true);
});

test("a wallet opens again after a card that was declined, which releases the portions", async () => {
  processor.confirmPayment.mockResolvedValue({ error: { message: "Declined." } });
  tell("confirm", {});
  await settle();
  expect(api.leave).toHaveBeenCalledExactlyOnceWith("luigis", "c1");
  expect(assign).not.toHaveBeenCalled();
  expect(document.querySelector("[role=alert]")?.textContent).toBe(
    "Payment FailedDeclined. Your card wasn't charged. Try again or fill in the form.",
  );
  expect(press()).toBe(true);
});
