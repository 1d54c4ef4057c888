import { expect, test } from "vitest";
import { feeOfTheNext, freeOffers } from "./free-offers";

const plan = { offersPerMonth: 10, laterShare: "3%" };

test.each([
  [0, { kind: "plenty", remaining: 10 }],
  [7, { kind: "plenty", remaining: 3 }],
  [8, { kind: "warning", remaining: 2 }],
  [9, { kind: "warning", remaining: 1 }],
  [10, { kind: "reached" }],
  [23, { kind: "reached" }],
])("after %i offers of a month", (count, state) => {
  expect(freeOffers(count, plan)).toEqual(state);
});

test.each([
  [9, ""],
  [
    10,
    "You've published this month's 10 specials without a platform fee. This one carries 3% of each order.",
  ],
])("after %i offers the form of the next one says %j about its fee", (count, note) => {
  expect(feeOfTheNext(count, plan)).toBe(note);
});
