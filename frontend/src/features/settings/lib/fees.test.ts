import { expect, test } from "vitest";
import { formatRate, payoutOf, shareOf } from "./fees";

const schedule = {
  freeRate: 300,
  brandedRate: 500,
  monthlyFee: "",
  processingRate: 490,
  processingFixedCents: 30,
  freeOffers: 10,
};

test("a payout is the total less our share less processing, to the cent", () => {
  expect(payoutOf(schedule, 5_000, 500)).toEqual({
    revenueShare: 250,
    processing: 275,
    payout: 4_475,
  });
  expect(payoutOf(schedule, 1_944, 0)).toEqual({ revenueShare: 0, processing: 125, payout: 1_819 });
});

test("fees are rounded half up and never more than the order", () => {
  expect(payoutOf(schedule, 50, 300)).toEqual({ revenueShare: 2, processing: 32, payout: 16 });
  expect(payoutOf(schedule, 10, 500)).toEqual({ revenueShare: 1, processing: 9, payout: 0 });
});

test("the table's figures are those of the tiers", () => {
  expect([50_000, 100_000, 200_000].map((sales) => shareOf(sales, 300))).toEqual([
    1_500, 3_000, 6_000,
  ]);
  expect([50_000, 100_000, 200_000].map((sales) => shareOf(sales, 500))).toEqual([
    2_500, 5_000, 10_000,
  ]);
  expect(shareOf(20_000, 500)).toBe(1_000);
});

test("rates are shown without trailing zeros", () => {
  expect([300, 490, 825].map(formatRate)).toEqual(["3%", "4.9%", "8.25%"]);
});
