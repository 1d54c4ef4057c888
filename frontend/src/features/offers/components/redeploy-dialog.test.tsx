import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { HistoryEntry } from "@/api/types";
import { showSuccess } from "@/ui/toaster";
import { RedeployDialog } from "./redeploy-dialog";

vi.mock("@/ui/toaster", () => ({ showError: vi.fn(), showSuccess: vi.fn() }));

const LINK = "http://luigis.localhost:8000/specials/0b0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001";
const entry = {
  id: "0b0c8f0e-3d3d-4a52-8a44-6a1c4b1f0002",
  name: "Osso buco",
  description: "Veal shank",
  regularPrice: "24.00",
  specialOfferPrice: "18.00",
  nextServeDate: "2027-03-28T12:00:00-04:00",
  nextDeadline: "2027-03-27T11:00:00Z",
  minPreordersRequired: 4,
  maxPreorders: null,
  maxPerOrder: 20,
  friendHours: 24,
  hasAlternative: false,
  alternativeDishId: null,
  imageUrl: null,
} as unknown as HistoryEntry;

function show(preordersOpen: boolean) {
  const created = {
    id: "0b0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001",
    name: "Osso buco",
    shareableUrl: LINK,
    currency: "usd",
    specialOfferPrice: "18.00",
    specialServeDate: "2027-03-28T12:00:00-04:00",
    preorderExpiresAt: "2027-03-27T11:00:00Z",
    seatsSentence: "4 more and it's on",
    seatsState: "open",
    imageUrl: null,
    preordersOpen,
  };
  vi.stubGlobal("fetch", async (_path: string, { method = "GET" }: RequestInit = {}) =>
    method === "POST"
      ? new Response(JSON.stringify(created), { status: 201 })
      : new Response(JSON.stringify({ dishes: [] })),
  );
  const onCreated = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RedeployDialog
        entry={entry}
        dishes={[]}
        timeZone="America/New_York"
        connect={<p>Connect Stripe</p>}
        onClose={() => undefined}
        onCreated={onCreated}
      />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Publish offer" }));
  return onCreated;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-22T16:00:00Z") });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.mocked(showSuccess).mockClear();
  vi.unstubAllGlobals();
});

test("a special that is published again shows its link before the list", async () => {
  const onCreated = show(true);
  const guestPage = await screen.findByRole("link", { name: /^View guest page/ });
  expect(guestPage.getAttribute("href")).toBe(LINK);
  expect(showSuccess).toHaveBeenCalledWith(
    "Special offer added successfully",
    "Your new special offer is now live.",
  );
  expect(screen.queryByRole("button", { name: "Create Another Offer" })).toBeNull();
  expect(onCreated).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(onCreated).toHaveBeenCalledOnce();
});

test("a special published again that can't be ordered yet says what is missing", async () => {
  show(false);
  expect(await screen.findByText("One step left: get paid")).toBeTruthy();
  expect(screen.getByText("Connect Stripe")).toBeTruthy();
  expect(showSuccess).not.toHaveBeenCalled();
});
