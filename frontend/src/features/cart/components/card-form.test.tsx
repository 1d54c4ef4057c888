import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CardForm } from "./card-form";

type Props = Parameters<typeof CardForm>[0];

const processor = vi.hoisted(() => ({
  load: vi.fn<() => Promise<unknown>>(),
  confirmPayment: vi.fn<() => Promise<{ error?: { type?: string; message?: string } }>>(),
  submit: vi.fn<() => Promise<{ error?: { type: string } }>>(),
  focus: vi.fn(),
}));
vi.mock("@/lib/processor", () => ({ loadProcessor: processor.load, fieldsLook: () => ({}) }));
vi.mock("@stripe/react-stripe-js", () => ({
  Elements: ({ children }: { children: React.ReactNode }) => children,
  PaymentElement: ({ onReady, onChange }: { onReady: () => void; onChange: () => void }) => (
    <>
      <button type="button" onClick={onReady}>
        Fields
      </button>
      <button type="button" onClick={onChange}>
        Type
      </button>
    </>
  ),
  useElements: () => ({
    getElement: () => ({ focus: processor.focus }),
    submit: processor.submit,
  }),
  useStripe: () => ({ confirmPayment: processor.confirmPayment }),
}));

const onConfirmed = vi.fn(() => Promise.resolve());
const settle = () => act(async () => {});
const says = (text: string) => screen.queryByText(text) !== null;

async function show(more: Partial<Props> = {}) {
  render(
    <CardForm
      processor={{ publishableKey: "pk", scriptUrl: "" }}
      clientSecret="pi_1_secret"
      returnUrl="http://luigis.test/cart/return"
      submitLabel="Pre-Order Now · $5.00"
      cancelLabel="Cancel"
      mandate="Held until the deadline."
      onBusy={() => {}}
      onCancel={() => {}}
      onConfirmed={onConfirmed}
      {...more}
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

test("a card that isn't complete gets the focus, and no payment is said to have failed", async () => {
  const incomplete = { type: "validation_error", message: "Your card number is incomplete." };
  processor.confirmPayment.mockResolvedValueOnce({ error: incomplete });
  await show();
  await press("Fields");
  screen.getByRole("button", { name: "Pre-Order Now · $5.00" }).focus();
  await press("Pre-Order Now · $5.00");
  expect(says("Payment Failed")).toBe(false);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(processor.focus).toHaveBeenCalledOnce();
  expect(onConfirmed).not.toHaveBeenCalled();
});

test("a card that isn't complete keeps the focus in the field that has it", async () => {
  processor.confirmPayment.mockResolvedValueOnce({ error: { type: "validation_error" } });
  await show();
  await press("Fields");
  screen.getByRole("button", { name: "Fields" }).focus();
  await press("Pre-Order Now · $5.00");
  expect(processor.focus).not.toHaveBeenCalled();
});

test("a card that the bank declines costs nothing, which is said with what to do", async () => {
  const error = { type: "card_error", message: "Your card was declined." };
  processor.confirmPayment.mockResolvedValueOnce({ error });
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  const text = "Your card was declined. Nothing was held or charged.";
  expect(says(text)).toBe(true);
});

test.each([
  [
    { code: "card_declined", decline_code: "generic_decline" },
    "Payment Failed Nothing was held or charged. Check the card or use another one.",
  ],
  [
    { code: "expired_card" },
    "Payment Failed Nothing was held or charged. Check the card or use another one.",
  ],
  [
    { code: "payment_intent_authentication_failure" },
    "Payment FailedYour bank didn't confirm that it's you. Try again or use another card. Nothing was held or charged.",
  ],
  [{ code: "processing_error" }, "Payment FailedYour bank said no. Nothing was held or charged."],
])("a refusal with %o says below the fields what they don't", async (error, message) => {
  const refusal = { type: "card_error", message: "Your bank said no.", ...error };
  processor.confirmPayment.mockResolvedValueOnce({ error: refusal });
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toBe(message);
  const fields = screen.getByRole("button", { name: "Fields" });
  expect(fields.compareDocumentPosition(alert)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("what is said beside the fields of a refused card goes once the card is corrected", async () => {
  const error = { type: "card_error", code: "expired_card", message: "Your card has expired." };
  processor.confirmPayment.mockResolvedValueOnce({ error });
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  expect(screen.queryByRole("alert")).not.toBeNull();
  await press("Type");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what the fields don't say of a refused card stays while it is corrected", async () => {
  const error = { type: "card_error", code: "processing_error", message: "Your bank said no." };
  processor.confirmPayment.mockResolvedValueOnce({ error });
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  await press("Type");
  expect(screen.getByRole("alert").textContent).toContain("Your bank said no.");
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

const AHEAD: Partial<Props> = {
  intended: { mode: "payment", amount: 500, currency: "usd", captureMethod: "manual" },
};

test("fields made before the intent are submitted before it is confirmed with its secret", async () => {
  processor.submit.mockResolvedValueOnce({});
  processor.confirmPayment.mockResolvedValueOnce({});
  await show(AHEAD);
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  expect(processor.confirmPayment).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ clientSecret: "pi_1_secret", redirect: "if_required" }),
  );
  expect(processor.submit.mock.invocationCallOrder[0]).toBeLessThan(
    processor.confirmPayment.mock.invocationCallOrder[0] ?? 0,
  );
  expect(onConfirmed).toHaveBeenCalledOnce();
});

test("fields made before the intent confirm nothing until the card is complete", async () => {
  processor.submit.mockResolvedValueOnce({ error: { type: "validation_error" } });
  await show(AHEAD);
  await press("Fields");
  screen.getByRole("button", { name: "Pre-Order Now · $5.00" }).focus();
  await press("Pre-Order Now · $5.00");
  expect(processor.focus).toHaveBeenCalledOnce();
  expect(processor.confirmPayment).not.toHaveBeenCalled();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("fields made with the intent have its secret and need no other", async () => {
  processor.confirmPayment.mockResolvedValueOnce({});
  await show();
  await press("Fields");
  await press("Pre-Order Now · $5.00");
  expect(processor.confirmPayment).toHaveBeenCalledExactlyOnceWith(
    expect.not.objectContaining({ clientSecret: expect.anything() }),
  );
  expect(processor.submit).not.toHaveBeenCalled();
});
