import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/client";
import { payWithWallet } from "./pay-with-wallet";
import { savedCheckout } from "./saved-checkout";

type Answer = { error?: { message?: string } };

const api = vi.hoisted(() => ({ begin: vi.fn(), confirm: vi.fn(), leave: vi.fn() }));
vi.mock("../api/begin-checkout", () => ({ beginCheckout: api.begin }));
vi.mock("../api/confirm-checkout", () => ({ confirmCheckout: api.confirm }));
vi.mock("../api/leave-checkout", () => ({ leaveCheckout: api.leave }));

const stripe = {
  confirmPayment: vi.fn<(options: unknown) => Promise<Answer>>(),
  confirmSetup: vi.fn<(options: unknown) => Promise<Answer>>(),
};
const submit = vi.fn<() => Promise<Answer>>();
const paymentFailed = vi.fn();
const ITEM = { offerId: "o1", name: "Ravioli", unitCents: 1800, quantity: 1 };
const TYPED = { name: "Typed", email: "typed@guests.test", phone: "212" };
const WALLET = { name: "Wallet Guest", email: "wallet@guests.test" };
const RESULT = { status: "held", items: [] };
const RETURN = expect.stringContaining("/cart/return?checkout=c1&rid=luigis");

const pay = (billingDetails: object | undefined = WALLET) =>
  payWithWallet({
    restaurant: "luigis",
    stripe: stripe as unknown as Stripe,
    elements: { submit } as unknown as StripeElements,
    event: { billingDetails, paymentFailed } as unknown as StripeExpressCheckoutElementConfirmEvent,
    items: [ITEM],
    total: 1944,
    typed: TYPED,
  });
const begins = (clientSecret: string) =>
  api.begin.mockResolvedValue({ checkoutId: "c1", publishableKey: "pk", clientSecret });

beforeEach(() => {
  begins("pi_1_secret");
  submit.mockResolvedValue({});
  stripe.confirmPayment.mockResolvedValue({});
  stripe.confirmSetup.mockResolvedValue({});
  api.confirm.mockResolvedValue(RESULT);
});

afterEach(() => {
  sessionStorage.clear();
  vi.resetAllMocks();
});

test("the guest is whom the wallet names, and what it doesn't say was typed", async () => {
  expect(await pay()).toMatchObject({ name: "known", email: WALLET.email, result: RESULT });
  const guest = { ...WALLET, phone: TYPED.phone };
  expect(api.begin).toHaveBeenCalledExactlyOnceWith("luigis", [ITEM], guest, 1944, {});
  expect(await pay({})).toMatchObject({ email: TYPED.email });
});

test.each([
  ["pi_1_secret", stripe.confirmPayment, stripe.confirmSetup],
  ["seti_1_secret", stripe.confirmSetup, stripe.confirmPayment],
])("%s is confirmed as what it is", async (clientSecret, right, wrong) => {
  begins(clientSecret);
  await pay();
  expect(right).toHaveBeenCalledExactlyOnceWith({
    elements: { submit },
    clientSecret,
    confirmParams: { return_url: RETURN },
    redirect: "if_required",
  });
  expect(wrong).not.toHaveBeenCalled();
});

test("a wallet whose data isn't accepted is told so, and nothing begins", async () => {
  submit.mockResolvedValue({ error: { message: "Not complete." } });
  expect(await pay()).toMatchObject({ name: "not begun" });
  expect(paymentFailed).toHaveBeenCalledExactlyOnceWith({ reason: "fail" });
  expect(api.begin).not.toHaveBeenCalled();
});

test("a refused card releases the portions", async () => {
  stripe.confirmPayment.mockResolvedValue({ error: { message: "Declined." } });
  expect(await pay()).toEqual({
    name: "refused",
    problem: {
      title: "Payment Failed",
      text: "Declined. Your card wasn't charged. Try again or fill in the form.",
    },
  });
  expect(api.leave).toHaveBeenCalledExactlyOnceWith("luigis", "c1");
  expect(savedCheckout("luigis")).toBeNull();
});

test("a confirmation that breaks off closes the wallet and releases the portions", async () => {
  stripe.confirmPayment.mockRejectedValue(new Error());
  expect(await pay()).toMatchObject({ name: "refused" });
  expect(paymentFailed).toHaveBeenCalledExactlyOnceWith({ reason: "fail" });
  expect(api.leave).toHaveBeenCalledOnce();
});

test("a payment that went through after all is not released", async () => {
  stripe.confirmPayment.mockResolvedValue({ error: {} });
  api.leave.mockRejectedValue(new ApiError(409, "Conflict", "{}"));
  expect(await pay()).toEqual({ name: "unknown", returnUrl: RETURN });
  expect(savedCheckout("luigis")).toBe("c1");
});

test("a result that can't be fetched is on the page that asks again", async () => {
  api.confirm.mockRejectedValue(new Error());
  expect(await pay()).toEqual({ name: "unknown", returnUrl: RETURN });
  expect(api.leave).not.toHaveBeenCalled();
});
