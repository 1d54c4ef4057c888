import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Special, Today as TodayData } from "@/api/types";
import { Today } from "./today";

afterEach(cleanup);

/** This many specials that close within a day and lack portions. */
function show(count: number): void {
  const offers = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    name: `Special ${index}`,
    status: "active",
    seatsState: "open",
    seatsSentence: "3 more and it's on",
    currentPreorders: 0,
    minPreordersRequired: 3,
    maxPreorders: null,
    preorderExpiresAt: new Date(Date.now() + (index + 2) * 3_600_000).toISOString(),
    specialServeDate: "2099-11-22T12:00:00-05:00",
    timezone: "America/New_York",
  })) as unknown as Special[];
  render(
    <Today
      offers={offers}
      timeZone="America/New_York"
      paymentsReady
      canFinishPayments
      failedPayments={0}
      today={{ results: [], money: null } as unknown as TodayData}
      permissions={{ fulfillOrders: true, editOrders: true, editOffers: true }}
    />,
  );
}

test.each([
  [3, 3, null],
  [4, 3, "1 more special needs a push"],
  [15, 3, "12 more specials need a push"],
])(
  "of %i specials at risk %i have a card, and a link leads to the others",
  (count, cards, link) => {
    show(count);
    expect(screen.getAllByText("Needs a push")).toHaveLength(cards);
    const links = screen.queryAllByRole("link", { name: /need/ });
    expect(links.map(({ textContent }) => textContent)).toEqual(link ? [link] : []);
  },
);
