import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { ConnectStatus, Special } from "@/api/types";
import { profile } from "@/features/settings/testing";
import { QuickStart } from "./quick-start";

const payments: ConnectStatus = {
  connected: false,
  accountId: "",
  details_submitted: false,
  charges_enabled: false,
  payouts_enabled: false,
  requirements: { currently_due: [], eventually_due: [] },
  setup: {
    state: "not_connected",
    headline: "Not Connected",
    sentence: "Connect Stripe to get paid.",
    action: "onboarding",
    actionLabel: "Continue to Stripe Setup",
    todo: [],
    later: [],
    takesOrders: false,
  },
  syncedAt: "2027-03-22T16:00:00Z",
  isCurrent: true,
};

function show(specials: Special[] = []) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <QuickStart
        restaurant={{
          id: "1",
          name: "Luigi's",
          subdomain: "luigis",
          subscriptionTier: "free",
          publicUrl: "http://luigis.example.com/",
          country: "US",
          timezone: "America/New_York",
        }}
        account={{ name: "Luisa", email: "luisa@example.com", hasPassword: true }}
        address={{ suffix: ".example.com", reserved: [], isChosen: true }}
        specials={specials}
        dishes={[]}
        profile={profile}
        payments={payments}
        menuUrl="http://luigis.example.com/menu"
        embedUrl="http://luigis.example.com/embed"
        isFree
        steps={[]}
        step=""
        countries={[]}
        hubUrl="/free-tier-dashboard"
        upgradeUrl="/subscribe"
        upgradeSummary="Unlimited specials."
      />
    </QueryClientProvider>,
  );
}

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("specials that could not be loaded are said above everything else", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  show();
  const sentence =
    "We couldn't load your specials. Nothing has changed; reload the page to see them.";
  expect(screen.queryByText(sentence)).toBeNull();
  expect(screen.getByRole("heading", { name: "Want More Features?" })).toBeTruthy();
  // Polled every half minute.
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(screen.getByText(sentence).closest("[role=alert]")).toBeTruthy();
});

test("back from Stripe the page says at once that guests can order", async () => {
  const lamb = {
    id: "1",
    name: "Lamb shank",
    isActive: true,
    preordersOpen: false,
    createdAt: "2027-03-22T16:00:00Z",
    shareableUrl: "http://luigis.example.com/s/1",
    price: "24.00",
    regularPrice: "24.00",
    specialOfferPrice: "18.00",
    preorderExpiresAt: "2027-03-24T16:00:00Z",
    specialServeDate: "2027-03-25T12:00:00-04:00",
  } as Special;
  const connected = {
    ...payments,
    setup: { ...payments.setup, state: "complete", takesOrders: true },
  };
  vi.stubGlobal("fetch", async (path: string) => {
    const answers: Record<string, unknown> = {
      "/api/connect-status?refresh=1": connected,
      "/api/specials/available": { specials: [{ ...lamb, preordersOpen: true }] },
    };
    return path in answers ? Response.json(answers[path]) : new Response("{}", { status: 404 });
  });
  history.replaceState(null, "", "?success=true");
  show([lamb]);
  await screen.findByText("Guests can order Lamb shank now.");
});
