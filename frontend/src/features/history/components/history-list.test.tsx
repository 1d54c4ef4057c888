import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import type { History, HistoryEntry } from "@/api/types";
import { HistoryList } from "./history-list";

const entry = {
  id: "0b0c8f0e-3d3d-4a52-8a44-6a1c4b1f0001",
  name: "Osso buco",
  description: "",
  regularPrice: "24.00",
  specialOfferPrice: "18.00",
  // The evening before in New York.
  createdAt: "2027-03-02T03:30:00Z",
  specialServeDate: "2027-03-09T12:00:00-05:00",
  nextServeDate: "2027-03-30T12:00:00-04:00",
  nextDeadline: "2027-03-29T16:00:00Z",
  status: "expired",
  wasSuccessful: true,
  validPreorders: 4,
  totalPreorders: 5,
  minPreordersRequired: 4,
  imageUrl: null,
  imageSrcset: null,
  alternativeDishName: null,
} as unknown as HistoryEntry;
const history: History = {
  history: [entry],
  totalOffers: 9,
  successfulOffers: 4,
  expiredOffers: 6,
  deletedOffers: 3,
  nextCursor: null,
};
const fetched = vi.fn<(path: string) => Promise<Response>>();

function show(initial?: History) {
  vi.stubGlobal("fetch", fetched);
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <HistoryList
        initial={initial}
        timeZone="America/New_York"
        canEdit={false}
        onRedeploy={() => {}}
      />
    </QueryClientProvider>,
  ).container;
}

const texts = (container: Element, selector: string) =>
  [...container.querySelectorAll(selector)].map((each) => each.textContent);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

test("the summary counts all, successful, expired and deleted specials", () => {
  const container = show(history);
  expect(texts(container, "dt")).toEqual(["Total", "Successful", "Expired", "Deleted"]);
  expect(texts(container, "dd")).toEqual(["9", "4", "6", "3"]);
});

test("dates are written the American way, as days of the restaurant's zone", () => {
  expect(texts(show(history), "td time")).toEqual(["Mar 1, 2027", "Mar 9, 2027"]);
});

test("a list that could not be loaded can be retried", async () => {
  fetched.mockRejectedValueOnce(new TypeError("offline"));
  fetched.mockImplementation(async () => new Response(JSON.stringify(history)));
  const container = show();
  await screen.findByText("Failed to load special offers history");
  expect(container.querySelector("dl")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("Osso buco");
  expect(screen.queryByText("Failed to load special offers history")).toBeNull();
  expect(fetched).toHaveBeenCalledTimes(2);
});
