import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/client";
import { SubscribePage } from "./subscribe-page";

const outside = vi.hoisted(() => ({
  load: vi.fn<() => Promise<unknown>>(),
  confirmPayment: vi.fn<() => Promise<unknown>>(),
  focus: vi.fn(),
  request: vi.fn<(path: string, options: { body: object }) => Promise<unknown>>(),
  assign: vi.fn<(url: string) => void>(),
}));
vi.mock("@/lib/processor", () => ({ loadProcessor: outside.load, fieldsLook: () => ({}) }));
vi.mock("@/lib/bot-check", () => ({
  BotCheckProblem: class extends Error {},
  botCheckToken: () => Promise.resolve(""),
  prepareBotCheck: () => {},
}));
vi.mock("@/api/client", async (original) => ({
  ...(await original<object>()),
  request: outside.request,
}));
vi.mock("@stripe/react-stripe-js", () => ({
  Elements: ({ children }: { children: React.ReactNode }) => children,
  PaymentElement: ({ onReady }: { onReady: () => void }) => (
    <button type="button" onClick={onReady}>
      Fields
    </button>
  ),
  useElements: () => ({ getElement: () => ({ focus: outside.focus }) }),
  useStripe: () => ({ confirmPayment: outside.confirmPayment }),
}));

const props = {
  amount: 2900,
  currency: "usd",
  price: "$29.00",
  share: "0%",
  hasShare: false,
  points: ["Unlimited specials"],
  plans: { freeShare: "3%", brandedShare: "5%", freeOffers: 10 },
  restaurant: "",
  name: "",
  email: "",
  isSignedIn: false,
  paidIntentId: "",
  returned: "",
  bot: { siteKey: "", startedAt: "now", minimumSeconds: 0 },
  returnUrl: "http://localhost/subscribe",
  nextUrl: "/restaurant",
  plansUrl: "/",
  publishableKey: "pk",
  cardScriptUrl: "",
};

const settle = () => act(async () => {});
const says = (text: string) => screen.queryAllByText(text, { exact: false }).length > 0;
const refusal = (status: number, body: object) =>
  new ApiError(status, "Refused", JSON.stringify(body));

async function show(more: Partial<typeof props> = {}) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SubscribePage {...props} {...more} />
    </QueryClientProvider>,
  );
  await settle();
}

async function press(name: string) {
  fireEvent.click(screen.getByRole("button", { name }));
  await settle();
}

async function fillIn() {
  fireEvent.change(screen.getByLabelText("Email"), { target: { value: "nora@noras.test" } });
  fireEvent.change(screen.getByLabelText("Restaurant name"), { target: { value: "Nora's" } });
  fireEvent.click(screen.getByRole("checkbox"));
  await press("Continue to payment");
}

beforeEach(() => {
  outside.load.mockResolvedValue({});
  outside.request.mockResolvedValue({
    clientSecret: "pi_1_secret_2",
    paymentIntentId: "pi_1",
    isPaid: false,
  });
  vi.stubGlobal("location", { ...window.location, assign: outside.assign });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

test("it says what a month costs, and that the other plans have no monthly fee", async () => {
  await show();
  expect(says("Subscribe for $29.00 a month")).toBe(true);
  expect(says("no share of your orders")).toBe(true);
  expect(says("The Free and Branded plans have none")).toBe(true);
});

test("what is missing is said and nothing is sent", async () => {
  await show();
  await press("Continue to payment");
  expect(says("Missing Information")).toBe(true);
  expect(says("Enter your restaurant's name.")).toBe(true);
  expect(outside.request).not.toHaveBeenCalled();
});

test("a payment that cannot begin says so", async () => {
  await show();
  outside.request.mockRejectedValueOnce(new Error());
  await fillIn();
  expect(says("Payment Setup Error")).toBe(true);
  expect(says("Failed to initialize payment system. Try again.")).toBe(true);
});

test("fields that cannot be loaded can be tried again", async () => {
  outside.load.mockRejectedValue(new Error());
  await show();
  await fillIn();
  expect(says("Payment Setup Error")).toBe(true);
  expect(says("Failed to initialize payment system.")).toBe(true);
  expect(screen.getByRole("button", { name: "Try Again" })).toBeTruthy();
});

test("a declined card is told in the processor's words, another failure in ours", async () => {
  await show();
  await fillIn();
  await press("Pay $29.00");
  expect(says("Payment System Loading")).toBe(true);
  await press("Fields");
  outside.confirmPayment.mockResolvedValueOnce({ error: { message: "Your card has expired." } });
  await press("Pay $29.00");
  expect(says("Payment Failed")).toBe(true);
  expect(says("Your card has expired.")).toBe(true);
  outside.confirmPayment.mockRejectedValueOnce(new Error());
  await press("Pay $29.00");
  expect(says("Subscription Failed")).toBe(true);
  expect(outside.assign).not.toHaveBeenCalled();
});

test("a card that isn't complete gets the focus, and no payment is said to have failed", async () => {
  const incomplete = { type: "validation_error", message: "Your card number is incomplete." };
  outside.confirmPayment.mockResolvedValueOnce({ error: incomplete });
  await show();
  await fillIn();
  await press("Fields");
  await press("Pay $29.00");
  expect(outside.focus).toHaveBeenCalledOnce();
  expect(says("Payment Failed")).toBe(false);
  expect(says(incomplete.message)).toBe(false);
});

test("a paid month is registered and leads to the dashboard", async () => {
  await show();
  await fillIn();
  await press("Fields");
  outside.confirmPayment.mockResolvedValueOnce({ paymentIntent: { status: "succeeded" } });
  await press("Pay $29.00");
  expect(outside.request).toHaveBeenLastCalledWith("/api/restaurant/register", {
    method: "POST",
    body: {
      email: "nora@noras.test",
      name: "Nora's",
      acceptedTerms: true,
      paymentIntentId: "pi_1",
    },
  });
  expect(outside.assign).toHaveBeenCalledWith("/restaurant");
});

test("a paid month that cannot be registered says what to do", async () => {
  await show();
  await fillIn();
  await press("Fields");
  outside.confirmPayment.mockResolvedValueOnce({ paymentIntent: { status: "succeeded" } });
  outside.request.mockRejectedValueOnce(
    refusal(409, {
      code: "conflict",
      message: "Registration Error",
      errors: [{ field: "paymentIntentId", message: "This email already has an account." }],
    }),
  );
  await press("Pay $29.00");
  expect(says("Registration Error")).toBe(true);
  expect(says("This email already has an account.")).toBe(true);
});

test("back from the bank, what it decided is asked for by itself", async () => {
  outside.request.mockRejectedValueOnce(
    refusal(409, { code: "conflict", message: "Your card hasn't been charged.", errors: [] }),
  );
  await show({ returned: "pi_1", email: "nora@noras.test", name: "Nora's" });
  expect(says("Payment Failed")).toBe(true);
  expect(says("Your card hasn't been charged.")).toBe(true);
  await press("Continue to payment");
  expect(screen.getByRole("button", { name: "Pay $29.00" })).toBeTruthy();
});

test("a month that was paid before is finished without paying again", async () => {
  await show({ paidIntentId: "pi_1", email: "nora@noras.test", name: "Nora's" });
  await press("Finish signing up");
  expect(outside.request).toHaveBeenCalledOnce();
  expect(outside.assign).toHaveBeenCalledWith("/restaurant");
});
