import { expect, test } from "vitest";
import { aDetail } from "../testing";
import { refundable, refundOutcome, refundProblem } from "./refund";

const { money } = aDetail();

test("all of it: the diner gets the charge, both fees come back whole", () => {
  expect(refundable(money)).toBe(3888);
  expect(refundOutcome(3888, money)).toEqual({ back: 3888, fees: 251, lessPayout: 3637 });
});

test("a part: each fee comes back in proportion, to the cent", () => {
  // 1.08 × 12.50 / 38.88 = 0.35; 1.43 × 12.50 / 38.88 = 0.46.
  expect(refundOutcome(1250, money)).toEqual({ back: 1250, fees: 81, lessPayout: 1169 });
});

test.each([
  ["", "Type an amount such as 12.50."],
  ["twelve", "Type an amount such as 12.50."],
  ["0", "Type an amount such as 12.50."],
  ["38.89", "That is more than was charged and is still left."],
  ["38.88", null],
  ["$12.50", null],
])("%j → %j", (text, problem) => {
  expect(refundProblem(text, money)).toBe(problem);
});

test("what was given back already is no longer there to give", () => {
  const part = { ...money, refunded: "30.00" };
  expect(refundable(part)).toBe(888);
  expect(refundProblem("9", part)).not.toBeNull();
});
