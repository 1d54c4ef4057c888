import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "@/api/client";
import { createQueryClient } from "@/api/query-client";
import type { ConnectStatus } from "@/api/types";
import { Toaster } from "@/ui/toaster";
import { PaymentSetup } from "./components/payment-setup";
import { StripeManagement } from "./components/stripe-management";
import { useConnectReturn } from "./hooks/use-connect-return";
import { TAB_DELAY, useProcessor } from "./hooks/use-processor";
import { dashboardFailure, onboardingFailure } from "./lib/failures";
import { ONBOARDING_TIMEOUT, TimedOut } from "./lib/timeout";

const inProgress: ConnectStatus = {
  connected: true,
  accountId: "acct_1",
  details_submitted: false,
  charges_enabled: false,
  payouts_enabled: false,
  requirements: { currently_due: ["external_account"], eventually_due: [] },
  setup: {
    state: "in_progress",
    headline: "Setup In Progress",
    sentence: "Stripe needs a few more details from you.",
    action: "onboarding",
    actionLabel: "Continue Stripe Setup",
    todo: ["A bank account or debit card for payouts"],
    later: [],
    takesOrders: false,
  },
  syncedAt: "2027-03-22T16:00:00Z",
  isCurrent: true,
};
const complete: ConnectStatus = {
  ...inProgress,
  details_submitted: true,
  charges_enabled: true,
  payouts_enabled: true,
  setup: {
    ...inProgress.setup,
    state: "complete",
    headline: "Connected",
    sentence: "Payment setup complete! You can now receive payments from special offers.",
    action: "dashboard",
    actionLabel: "Open Stripe Dashboard",
    todo: [],
    takesOrders: true,
  },
};
const inReview: ConnectStatus = {
  ...inProgress,
  details_submitted: true,
  setup: { ...inProgress.setup, state: "in_review", sentence: "Stripe is checking.", todo: [] },
};

const fetched = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
const json = (status: number, body: unknown) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));
const says = (text: string | RegExp) => screen.queryAllByText(text).length > 0;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function show(content: React.ReactNode) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      {content}
      <Toaster />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  fetched.mockReset();
  history.replaceState(null, "", "/");
});

// --- what is said of a failure -----------------------------------------------------------------------
const refusal = (status: number, body: unknown) =>
  new ApiError(status, "Bad Gateway", body ? JSON.stringify(body) : "");

test.each([
  [refusal(503, { message: "Busy." }), "Connection Failed", "Busy."],
  [refusal(502, null), "Connection Failed", "Failed to start Stripe onboarding"],
  [new NetworkError(), "Connection Error", "Failed to connect to Stripe. Please try again."],
  [new TimedOut(), "Connection Failed", "Request timed out. Please try again."],
  [new TypeError("x"), "Connection Failed", "Failed to connect with Stripe. Please try again"],
])("onboarding: %s", (failure, title, text) => {
  expect(onboardingFailure(failure)).toEqual({ title, text });
});

test.each([
  [refusal(409, { message: "First the form.", needsOnboarding: true }), "Onboarding Required"],
  [refusal(503, { message: "Busy." }), "Connection Failed", "Busy."],
  [refusal(502, null), "Connection Failed", "Error 502"],
  [new NetworkError(), "Connection Failed", new NetworkError().message],
])("the dashboard: %s", (failure, title, text?: string) => {
  const shown = dashboardFailure(failure);
  expect(shown.title).toBe(title);
  if (text) expect(shown.text).toBe(text);
  else expect(shown.text).toContain("button on this page");
});

// --- the section -------------------------------------------------------------------------------------
test("not finished: what Stripe has, what it asks for, and the button on", () => {
  show(<PaymentSetup returnTo="/restaurant" initial={inProgress} />);
  expect(says("Setup In Progress")).toBe(true);
  expect(screen.getAllByRole("definition").map((each) => each.textContent)).toEqual([
    "Pending",
    "Disabled",
    "Disabled",
  ]);
  expect(says("A bank account or debit card for payouts")).toBe(true);
  expect(screen.getByRole("button", { name: "Continue Stripe Setup" })).toBeTruthy();
});

test("an account counts as connected while its state is loading", async () => {
  fetched.mockImplementation(() => json(200, inProgress));
  show(<PaymentSetup returnTo="/restaurant" stripeAccountId="acct_1" />);
  expect(says("Your payment account is connected.")).toBe(true);
  await pass(50);
  expect(says("Setup In Progress")).toBe(true);
});

test("what could not be loaded can be asked for again", async () => {
  fetched.mockRejectedValueOnce(new TypeError("offline"));
  fetched.mockImplementation(() => json(200, complete));
  show(<PaymentSetup returnTo="/restaurant" />);
  await pass(50);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await pass(50);
  expect(says(complete.setup.sentence)).toBe(true);
});

test("it is read again when the tab becomes visible", async () => {
  fetched.mockImplementation(() => json(200, complete));
  show(<PaymentSetup returnTo="/restaurant" initial={inProgress} />);
  await pass(50);
  expect(fetched).not.toHaveBeenCalled();
  act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await pass(50);
  expect(fetched).toHaveBeenCalledOnce();
  expect(says("Connected")).toBe(true);
});

test("a request without an answer is given up after thirty seconds", async () => {
  fetched.mockImplementation(
    (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
      ),
  );
  show(<PaymentSetup returnTo="/restaurant" initial={inProgress} />);
  const button = screen.getByRole("button", { name: "Continue Stripe Setup" });
  fireEvent.click(button);
  await pass(ONBOARDING_TIMEOUT - 100);
  expect(button.getAttribute("aria-busy")).toBe("true");
  await pass(200);
  expect(says("Request timed out. Please try again.")).toBe(true);
  expect(button.getAttribute("aria-busy")).toBeNull();
});

test("pressed twice it asks once, and says where to come back to", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  fetched.mockImplementation(() => json(200, { url: "https://connect.example/1" }));
  show(<PaymentSetup returnTo="/free-tier-quick-start" initial={inProgress} />);
  const button = screen.getByRole("button", { name: "Continue Stripe Setup" });
  fireEvent.click(button);
  fireEvent.click(button);
  await pass(50);
  expect(fetched).toHaveBeenCalledOnce();
  expect(fetched.mock.calls[0]?.[1].body).toBe(
    JSON.stringify({ embedded: false, returnTo: "/free-tier-quick-start" }),
  );
  expect(assign).toHaveBeenCalledExactlyOnceWith("https://connect.example/1");
});

test("in a new tab it opens a second later, and here where no tab may be opened", async () => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  fetched.mockImplementation(() => json(200, { url: "https://connect.example/2" }));
  show(<TabButton />);
  fireEvent.click(screen.getByRole("button", { name: "New tab" }));
  await pass(TAB_DELAY - 50);
  expect(open).not.toHaveBeenCalled();
  await pass(100);
  expect(open).toHaveBeenCalledExactlyOnceWith("https://connect.example/2", "_blank");
  expect(assign).toHaveBeenCalledOnce();
});

function TabButton() {
  const processor = useProcessor("/restaurant");
  return (
    <button type="button" onClick={() => void processor.onboardInTab()}>
      New tab
    </button>
  );
}

// --- the payment account's page ---------------------------------------------------------------------
const management = (
  <StripeManagement
    restaurantName="Luigi's"
    timeZone="America/New_York"
    status={inProgress}
    fee="4.9% + $0.30 per successful transaction"
    feesUrl="/restaurant/tiers"
    settingsUrl="/restaurant/settings"
    payoutsUrl="/restaurant/payouts"
    problem=""
  />
);

test("refreshing asks the provider itself, shows what it says, and says so", async () => {
  fetched.mockImplementation(() => json(200, complete));
  show(management);
  expect(screen.getByRole("link", { name: "Back to Settings" }).getAttribute("href")).toBe(
    "/restaurant/settings",
  );
  expect(says("Setup In Progress")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await pass(100);
  expect(fetched).toHaveBeenCalledExactlyOnceWith(
    "/api/connect-status?refresh=1",
    expect.anything(),
  );
  expect(says("Data refreshed")).toBe(true);
  expect(says("Setup In Progress")).toBe(false);
  expect(says(complete.setup.sentence)).toBe(true);
});

test("a refresh that the provider does not answer says so and keeps what was shown", async () => {
  fetched.mockImplementation(() => json(200, { ...inProgress, isCurrent: false }));
  show(management);
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await pass(100);
  expect(says("Connection Error")).toBe(true);
  expect(says("Failed to connect to Stripe. Please try again.")).toBe(true);
  expect(says("Setup In Progress")).toBe(true);
});

// --- back from the payment provider -------------------------------------------------------------------------
function Landing({ leadTo }: { leadTo?: string }) {
  useConnectReturn({ leadTo });
  return <p>Here</p>;
}

test.each([
  ["?success=1&restaurant=7", complete, "Connect Setup Complete!", "success"],
  ["?success=1", inReview, "Connect Setup Complete!", "success"],
  ["?success=1", inProgress, "Data refreshed", "info"],
  ["?email=a%40b.test", complete, "Connect Setup Complete!", "success"],
  ["?refresh=1", complete, "Data refreshed", "success"],
])("%s says how it stands and clears the query", async (query, status, title, tone) => {
  history.replaceState(null, "", `/restaurant${query}&tab=orders`);
  fetched.mockImplementation(() => json(200, status));
  show(<Landing />);
  await pass(100);
  expect(fetched).toHaveBeenCalledExactlyOnceWith(
    "/api/connect-status?refresh=1",
    expect.anything(),
  );
  expect(says(title)).toBe(true);
  const toast = document.querySelector<HTMLElement>("[data-sonner-toast][data-visible=true]");
  expect(toast?.dataset.type).toBe(tone);
  expect(says(status.setup.sentence)).toBe(status !== complete);
  expect(location.pathname + location.search).toBe("/restaurant?tab=orders");
});

test("without a mark nothing is asked and nothing is cleared", async () => {
  history.replaceState(null, "", "/restaurant?restaurant=7&tab=orders");
  show(<Landing />);
  await pass(100);
  expect(fetched).not.toHaveBeenCalled();
  expect(location.search).toBe("?restaurant=7&tab=orders");
});

test("settings lead on to the dashboard once the toast was read", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  history.replaceState(null, "", "/restaurant/settings?success=1");
  fetched.mockImplementation(() => json(200, complete));
  show(<Landing leadTo="/restaurant" />);
  await pass(1400);
  expect(assign).not.toHaveBeenCalled();
  await pass(200);
  expect(assign).toHaveBeenCalledExactlyOnceWith("/restaurant");
});
