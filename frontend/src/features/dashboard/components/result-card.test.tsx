import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { SpecialResult } from "@/api/types";
import { ResultCard } from "./result-card";

const went: SpecialResult = {
  offerId: "1",
  offerName: "Osso buco",
  serveDate: "2026-11-26",
  decidedAt: "2026-11-24T23:00:00Z",
  succeeded: true,
  sentence: "It went ahead with 3 portions: 2 cards were charged.",
  portions: 3,
  minimum: 3,
  chargedOrders: 2,
  unsettled: 0,
  declined: 0,
  charged: "77.76",
  refunded: "0.00",
  fees: "4.41",
  payout: "73.35",
  payoutDay: "2026-11-28",
};

const missed: SpecialResult = {
  ...went,
  succeeded: false,
  portions: 2,
  minimum: 5,
  chargedOrders: 0,
  charged: "0.00",
  fees: "0.00",
  payout: "0.00",
};

afterEach(cleanup);

const show = (result: SpecialResult, can = true) =>
  render(<ResultCard result={result} canMessage={can} canRunAgain={can} />).container;

const links = () => screen.getAllByRole("link").map(({ textContent }) => textContent?.trim());

test("a special that went ahead says what reaches the bank and when, and what to do next", () => {
  const card = show(went);
  expect(screen.getByRole("heading").textContent).toBe("It's on: 3 portions");
  expect(card.textContent).toContain("Charged to 2 cards$77.76");
  expect(card.textContent).toContain("Fees−$4.41");
  expect(card.textContent).toContain("You receive, sent to your bank Sat, Nov 28$73.35");
  expect(links()).toEqual(["Osso buco", "Kitchen sheet", "Email your guests", "Run it again"]);
});

test("a special that missed its minimum says that no one was charged, and offers to run again", () => {
  const card = show(missed);
  expect(screen.getByRole("heading").textContent).toBe("Not this time: 2 of 5 portions");
  expect(card.textContent).toContain("No one was charged, and every hold was released.");
  expect(card.textContent).not.toContain("You receive");
  expect(links()).toEqual(["Osso buco", "Run it again"]);
});

test("declined cards lead to the guests to call", () => {
  show({ ...went, declined: 1, unsettled: 1 });
  expect(screen.getByRole("link", { name: "See who to call" }).getAttribute("href")).toBe(
    "/restaurant?tab=orders&offer=1&payment=capture_failed",
  );
});

test("who sees no money sees none, and who may change nothing is offered nothing", () => {
  const card = show({ ...went, charged: null, refunded: null, fees: null, payout: null }, false);
  expect(card.textContent).not.toContain("$");
  expect(links()).toEqual(["Osso buco", "Kitchen sheet"]);
});
