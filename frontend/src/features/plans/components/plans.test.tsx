import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Toaster } from "@/ui/toaster";
import type { PlanOffer, PlanState } from "../types";
import { PlanCards } from "./plan-cards";
import { PlanChange } from "./plan-change";

const fetched = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
const assign = vi.spyOn(location, "assign");
const branded: PlanOffer = {
  tier: "branded",
  name: "Branded",
  price: "5% of each order.",
  share: "5.00",
  points: [],
  current: false,
  next: "/branded-setup",
};
const free: PlanOffer = {
  tier: "free",
  name: "Free",
  price: "No monthly fee.",
  share: "3.00",
  points: [],
  current: false,
  next: "/restaurant/tiers",
};
const onFree: PlanState = { tier: "free", name: "Free", next: null, downgradeEffects: [] };
const onBranded: PlanState = {
  tier: "branded",
  name: "Branded",
  next: null,
  downgradeEffects: [
    "On Tue, Dec 1, you'll change to the Free plan.",
    "Sales analytics will close.",
  ],
};
const leaving: PlanState = {
  ...onBranded,
  tier: "enterprise",
  next: { name: "Free", day: "Tue, Dec 1" },
};

function show(content: React.ReactNode): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      {content}
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = (name: RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const answer = (status: number, message = "") =>
  fetched.mockResolvedValue(new Response(JSON.stringify({ message }), { status }));
const sent = () => JSON.parse(String(fetched.mock.calls[0]?.[1].body)).subscriptionTier;

beforeEach(() => {
  assign.mockImplementation(() => {});
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
  assign.mockReset();
});

test("choosing a plan signed out says so and stays, with a way to sign in beside it", async () => {
  answer(401);
  show(<PlanCards offers={[branded]} plan={onFree} />);
  press(/Choose Branded/);
  await screen.findByText("Login Required");
  const link = screen.getAllByRole("link", { name: "Sign in again in a new tab" })[0];
  expect(link?.getAttribute("href")).toMatch(/^\/login\?next=/);
  expect(link?.getAttribute("target")).toBe("_blank");
  expect(assign).not.toHaveBeenCalled();
});

test("a plan that was not changed says so and stays", async () => {
  answer(503, "Busy.");
  show(<PlanCards offers={[branded]} plan={onFree} />);
  press(/Choose Branded/);
  await screen.findByText("Upgrade Failed");
  expect(screen.getByRole("alert").textContent).toBe("Busy.");
  expect(assign).not.toHaveBeenCalled();
});

test("a plan that was chosen leads to its setup", async () => {
  answer(200);
  show(<PlanCards offers={[branded]} plan={onFree} />);
  press(/Choose Branded/);
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/branded-setup"));
});

test("changing to the Free plan says what it means and happens only once it is confirmed", async () => {
  answer(200);
  show(<PlanCards offers={[free, { ...branded, current: true }]} plan={onBranded} />);
  press(/Choose Free/);
  const dialog = within(screen.getByRole("dialog", { name: "Change to the Free plan?" }));
  for (const effect of onBranded.downgradeEffects) expect(dialog.getByText(effect)).toBeTruthy();
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole("button", { name: "Stay on Branded" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
  press(/Choose Free/);
  press(/Change to Free/);
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/restaurant/tiers"));
  expect(sent()).toBe("free");
});

test("a scheduled change says its day and is canceled by staying on the present plan", async () => {
  answer(200);
  show(<PlanChange plan={leaving} here="/restaurant/tiers" />);
  expect(screen.getByText("You'll change to the Free plan on Tue, Dec 1.")).toBeTruthy();
  press(/Stay on Branded/);
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/restaurant/tiers"));
  expect(sent()).toBe("enterprise");
});

test("on the Free plan there is nothing to change down to", () => {
  show(<PlanChange plan={onFree} here="/restaurant/tiers" />);
  expect(screen.queryByRole("button")).toBeNull();
});
