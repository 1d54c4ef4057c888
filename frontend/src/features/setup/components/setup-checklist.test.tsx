import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { Completion } from "@/api/types";
import { setupProgress } from "../lib/progress";
import { type PaymentStep, SetupChecklist } from "./setup-checklist";

const NOTHING = {
  profileCompleted: false,
  marketingCompleted: false,
  stripeCompleted: false,
  steps: [],
};
const ALL = { profileCompleted: true, marketingCompleted: true, stripeCompleted: true, steps: [] };
const start = vi.fn();
const fetched = vi.fn<(path: string) => Promise<Response>>();

function show(initial: Completion | undefined, payment: Partial<PaymentStep> = {}) {
  const step = {
    complete: undefined,
    label: "Continue to Stripe Setup",
    sentence: "Stripe is checking your details.",
    busy: false,
    problem: "",
    start,
    ...payment,
  };
  const client = createQueryClient();
  return render(
    <QueryClientProvider client={client}>
      <SetupChecklist restaurantId="7" initial={initial} payment={step} settingsUrl="/settings" />
    </QueryClientProvider>,
  );
}

const says = (text: string | RegExp) => screen.queryByText(text) !== null;
const answer = (body: Completion) => Promise.resolve(new Response(JSON.stringify(body)));
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
  start.mockReset();
  localStorage.clear();
});

test("says how far payments are where there is nothing to press", () => {
  show(NOTHING, { complete: false, label: "" });
  expect(says("Stripe is checking your details.")).toBe(true);
  expect(says(/^Connect Stripe/)).toBe(false);
});

test("asks to connect payments where that is to be pressed", () => {
  show(NOTHING, { complete: false });
  expect(says("Connect Stripe to get paid. Guests can pre-order after that.")).toBe(true);
  expect(says("Stripe is checking your details.")).toBe(false);
});

test("shows three steps, what each needs, and how far it is", () => {
  show({ ...NOTHING, profileCompleted: true });
  expect(says("1 of 3 steps done")).toBe(true);
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("33");
  expect(screen.queryByRole("link", { name: "Complete profile" })).toBeNull();
  const social = screen.getByRole("link", { name: "Add social links" });
  expect(social.getAttribute("href")).toBe("/settings?section=marketing");
  fireEvent.click(screen.getByRole("button", { name: "Continue to Stripe Setup" }));
  expect(start).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
});

test("says that it is loading, tries once more, and then that it could not", async () => {
  fetched.mockRejectedValue(new TypeError("offline"));
  show(undefined);
  expect(says("Loading setup status...")).toBe(true);
  await pass(5_000);
  expect(says("Unable to load setup status. Please refresh the page.")).toBe(true);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("the checklist is read every thirty seconds", async () => {
  fetched.mockImplementation(() => answer({ ...NOTHING, marketingCompleted: true }));
  show(NOTHING);
  await pass(29_000);
  expect(fetched).not.toHaveBeenCalled();
  await pass(1_500);
  expect(fetched).toHaveBeenCalledExactlyOnceWith("/api/restaurant/completion", expect.anything());
  expect(says("1 of 3 steps done")).toBe(true);
});

test("is read again when the page is looked at, but not within ten seconds", async () => {
  fetched.mockImplementation(() => answer({ ...NOTHING, marketingCompleted: true }));
  const lookAgain = () =>
    act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  show(NOTHING);
  await pass(9_900);
  lookAgain();
  await pass(50);
  expect(fetched).not.toHaveBeenCalled();
  await pass(100);
  lookAgain();
  await pass(50);
  expect(fetched).toHaveBeenCalledOnce();
  expect(says("1 of 3 steps done")).toBe(true);
});

test("is not there when everything is done or it was put away", () => {
  show(ALL);
  expect(document.body.textContent).toBe("");
  cleanup();
  localStorage.setItem("onboarding_banner_dismissed", "7");
  show(NOTHING);
  expect(document.body.textContent).toBe("");
  cleanup();
  localStorage.setItem("onboarding_banner_dismissed", "another");
  show(NOTHING);
  expect(says("0 of 3 steps done")).toBe(true);
});

test("who sees the last step being done may put it away", async () => {
  fetched.mockImplementation(() => answer(ALL));
  show({ ...ALL, marketingCompleted: false });
  await pass(31_000);
  expect(says("You're all set")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(document.body.textContent).toBe("");
  expect(localStorage.getItem("onboarding_banner_dismissed")).toBe("7");
});

test("the payment step follows the account, and completion stands in while it is unknown", () => {
  show({ ...NOTHING, stripeCompleted: true });
  expect(says("1 of 3 steps done")).toBe(true);
  cleanup();
  show({ ...NOTHING, stripeCompleted: true }, { complete: false });
  expect(says("0 of 3 steps done")).toBe(true);
  cleanup();
  show(NOTHING, { complete: true });
  expect(says("1 of 3 steps done")).toBe(true);
});

test.each([
  [0, 0],
  [1, 33],
  [2, 67],
  [3, 100],
  [4, 100],
])("%i steps are %i per cent", (done, percent) => {
  expect(setupProgress(done)).toBe(percent);
});
