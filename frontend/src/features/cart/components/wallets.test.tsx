import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CartOffers } from "@/api/types";
import { Wallets } from "./wallets";

const processor = vi.hoisted(() => ({
  load: vi.fn<() => Promise<unknown>>(),
  elements: vi.fn(),
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
  ExpressCheckoutElement: (props: Record<string, (event: unknown) => void>) => {
    wallet.current = props;
    return null;
  },
  useElements: () => ({}),
  useStripe: () => ({}),
}));

const SHOP = {
  publishableKey: "pk",
  cardScriptUrl: "",
  currency: "usd",
  onBehalfOf: "acct_2",
  restaurantName: "Luigi's",
  taxRate: "8.00",
  asksForPhone: true,
} as CartOffers;
const ITEM = { offerId: "1", name: "Ravioli", unitCents: 1800, quantity: 1 };
const OR = "Or enter your name and email";
const canOpen = vi.fn<() => boolean>();
const says = (text: string) => screen.queryByText(text) !== null;
const ready = (availablePaymentMethods?: object) =>
  act(() => wallet.current.onReady?.({ availablePaymentMethods }));

async function show(items = [ITEM], total = 1944, position?: "sticky") {
  const rendered = render(
    <div className="cart-guest" style={{ position }}>
      <Wallets
        shop={SHOP}
        items={items}
        total={total}
        problem={null}
        canOpen={canOpen}
        onConfirm={() => {}}
      />
      <input />
    </div>,
  );
  await act(async () => {});
  return rendered;
}

/** Presses a wallet's button; with what its sheet opens, or null. */
function press(): unknown {
  let opened: unknown = null;
  const resolve = (details: unknown) => {
    opened = details;
  };
  wallet.current.onClick?.({ resolve, reject: () => {} });
  return opened;
}

beforeEach(() => {
  processor.load.mockResolvedValue({});
  canOpen.mockReturnValue(true);
});

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

test("for one special the wallet names the guest and lists what is paid", async () => {
  await show();
  const paid = { mode: "payment", amount: 1944, captureMethod: "manual", onBehalfOf: "acct_2" };
  expect(processor.elements).toHaveBeenLastCalledWith(expect.objectContaining(paid));
  const asked = { emailRequired: true, phoneNumberRequired: true, business: { name: "Luigi's" } };
  expect(wallet.current).toHaveProperty("options", expect.objectContaining(asked));
  expect(press()).toEqual({
    lineItems: [
      { name: "1 × Ravioli", amount: 1800 },
      { name: "Tax", amount: 144 },
    ],
  });
});

test("for several it saves a card, without an amount or its parts", async () => {
  await show([ITEM, { ...ITEM, offerId: "2" }], 3888);
  const [options] = processor.elements.mock.calls.at(-1) ?? [];
  expect(options).toMatchObject({ mode: "setup", setupFutureUsage: "off_session" });
  expect(options).not.toHaveProperty("amount");
  expect(press()).toEqual({});
});

test("while something is missing it doesn't open", async () => {
  canOpen.mockReturnValue(false);
  await show();
  expect(press()).toBeNull();
});

test("the words above the fields stand only where the device has a wallet", async () => {
  const { container } = await show();
  expect(says(OR)).toBe(false);
  ready({ googlePay: true });
  expect(says(OR)).toBe(true);
  ready();
  expect(says(OR)).toBe(false);
  expect(container.querySelector(".wallets")).toBeNull();
});

test("without the payment provider's script there is nothing", async () => {
  processor.load.mockRejectedValue(new Error());
  const { container } = await show();
  expect(container.querySelector(".wallets")).toBeNull();
});

test("beside the dishes, a field that is in use doesn't move when there is no wallet", async () => {
  const { container } = await show([ITEM], 1944, "sticky");
  screen.getByRole("textbox").focus();
  ready();
  expect(container.querySelector(".wallets")).toHaveProperty("textContent", "");
  cleanup();
  const { container: unused } = await show([ITEM], 1944, "sticky");
  ready();
  expect(unused.querySelector(".wallets")).toBeNull();
});
