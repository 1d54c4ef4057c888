import { expect, test } from "vitest";
import { freeOffers } from "./free-offers";

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
