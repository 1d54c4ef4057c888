import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CardForm } from "./card-form";
import type { WalletTerms } from "./wallets";

const processor = vi.hoisted(() => ({
  load: vi.fn<() => Promise<unknown>>(),
  confirmPayment: vi.fn<(options: unknown) => Promise<{ error?: { message?: string } }>>(),
  submit: vi.fn<() => Promise<{ error?: { message?: string } }>>(),
  elements: vi.fn(),
  fields: vi.fn(),
}));
const wallet: { current: Record<string, (event: unknown) => void> } = vi.hoisted(() => ({
  current: {},
}));
vi.mock("@/lib/processor", () => ({ loadProcessor: processor.load, fieldsLook: () => ({}) }));
vi.mock("@stripe/react-stripe-js", () => ({
  Elements: ({ children, options }: { children: React.ReactNode; options: unknown }) => {
    processor.elements(options);
    return children;
  },
  PaymentElement: ({ onReady, options }: { onReady: () => void; options: unknown }) => {
    processor.fields(options);
    return (
      <button type="button" onClick={onReady}>
        Fields
      </button>
    );
  },
  ExpressCheckoutElement: (props: Record<string, (event: unknown) => void>) => {
    wallet.current = props;
    return null;
  },
  useElements: () => ({ submit: processor.submit }),
  useStripe: () => ({ confirmPayment: processor.confirmPayment }),
}));

const onConfirmed = vi.fn(() => Promise.resolve());
const settle = () => act(async () => {});
const says = (text: string) => screen.queryByText(text) !== null;

interface Shown {
  wallets?: WalletTerms;
  secret?: string;
}

const WALLETS: WalletTerms = {
  total: 500,
  currency: "usd",
  onBehalfOf: "acct_2",
  restaurantName: "Luigi's",
  costs: [{ name: "1 × Ravioli", amount: 500 }],
};

/** Presses a wallet's button; with what its sheet opens, or null. */
function pressWallet(): unknown {
  let opened: unknown = null;
  const resolve = (details: unknown) => {
    opened = details;
  };
  wallet.current.onClick?.({ resolve, reject: () => {} });
  return opened;
}

async function show({ wallets, secret = "pi_1_secret" }: Shown = {}) {
  render(
    <CardForm
      processor={{ publishableKey: "pk", accountId: "acct_1", scriptUrl: "" }}
      clientSecret={secret}
      wallets={wallets}
      returnUrl="http://luigis.test/cart/return"
      submitLabel="Pre-Order Now · $5.00"
      cancelLabel="Cancel"
      mandate="Held until the deadline."
      onBusy={() => {}}
      onCancel={() => {}}
      onConfirmed={onConfirmed}
    />,
  );
  await settle();
}

async function press(name: string) {
  fireEvent.click(screen.getByRole("button", { name }));
  await settle();
}

beforeEach(() => {
  processor.load.mockResolvedValue({});
  processor.submit.mockResolvedValue({});
});

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

test("while the processor loads it says so", async () => {
  processor.load.mockReturnValue(new Promise(() => {}));
  await show();
  expect(says("Payment System Loading")).toBe(true);
});

test("a processor that cannot be loaded says so and can be tried again", async () => {
  processor.load.mockRejectedValueOnce(new Error());
  await show();
  expect(says("Payment Setup Failed")).toBe(true);
  expect(says("Unable to initialize payment. Please try again.")).toBe(true);
  await press("Try again");
  expect(says("Payment Setup Failed")).toBe(false);
});

test("a card that is refused is told in the processor's words, another error in ours", async () => {
  processor.confirmPayment.mockResolvedValueOnce({ error: { message: "Your card has expired." } });
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  expect(says("Payment Failed")).toBe(true);
  expect(says("Your card has expired.")).toBe(true);
  processor.confirmPayment.mockRejectedValueOnce(new Error());
  await press("Pre-Order Now · $5.00");
  expect(says("Payment Error")).toBe(true);
  expect(says("An unexpected error occurred. Please try again.")).toBe(true);
  expect(onConfirmed).not.toHaveBeenCalled();
  processor.confirmPayment.mockResolvedValueOnce({});
  await press("Pre-Order Now · $5.00");
  expect(onConfirmed).toHaveBeenCalledOnce();
});

test("wallets stand once, and say what the intent says", async () => {
  await show({ wallets: WALLETS });
  const never = { applePay: "never", googlePay: "never" };
  expect(processor.fields).toHaveBeenCalledWith(expect.objectContaining({ wallets: never }));
  const paid = { mode: "payment", amount: 500, captureMethod: "manual", onBehalfOf: "acct_2" };
  expect(processor.elements).toHaveBeenCalledWith(expect.objectContaining(paid));
  expect(pressWallet()).toEqual({ lineItems: WALLETS.costs });
});

test("a wallet for several holds saves a card, without an amount or its parts", async () => {
  await show({ wallets: WALLETS, secret: "seti_1_secret" });
  const [options] = processor.elements.mock.calls.at(-1) ?? [];
  expect(options).toMatchObject({ mode: "setup", setupFutureUsage: "off_session" });
  expect(options).not.toHaveProperty("amount");
  expect(pressWallet()).toEqual({});
});

test("the divider stands only where the device has a wallet", async () => {
  await show({ wallets: WALLETS });
  expect(says("Or pay with a card")).toBe(false);
  act(() => wallet.current.onReady?.({ availablePaymentMethods: { googlePay: true } }));
  expect(says("Or pay with a card")).toBe(true);
  act(() => wallet.current.onReady?.({ availablePaymentMethods: undefined }));
  expect(says("Or pay with a card")).toBe(false);
});

test("a wallet that confirms twice confirms once, and then only the result is asked for", async () => {
  processor.confirmPayment.mockResolvedValue({});
  onConfirmed.mockRejectedValueOnce(new Error());
  await show({ wallets: WALLETS });
  await act(async () => {
    wallet.current.onConfirm?.({});
    wallet.current.onConfirm?.({});
  });
  expect(processor.confirmPayment).toHaveBeenCalledExactlyOnceWith({
    elements: { submit: processor.submit },
    clientSecret: "pi_1_secret",
    confirmParams: { return_url: "http://luigis.test/cart/return" },
    redirect: "if_required",
  });
  expect(says("Payment Error")).toBe(true);
  await act(async () => expect(pressWallet()).toBe(null));
  expect(onConfirmed).toHaveBeenCalledTimes(2);
  expect(processor.confirmPayment).toHaveBeenCalledOnce();
});

test("a wallet whose data isn't accepted is told so, and nothing is confirmed", async () => {
  processor.submit.mockResolvedValueOnce({ error: { message: "Not complete." } });
  const paymentFailed = vi.fn();
  await show({ wallets: WALLETS });
  await act(async () => wallet.current.onConfirm?.({ paymentFailed }));
  expect(paymentFailed).toHaveBeenCalledExactlyOnceWith({ reason: "fail" });
  expect(says("Not complete.")).toBe(true);
  expect(processor.confirmPayment).not.toHaveBeenCalled();
});
