import { expect, test } from "vitest";
import { aDetail } from "../testing";
import { refundable, refundProblem } from "./refund";

const { money } = aDetail();

test("the whole charge can be refunded", () => {
  expect(refundable(money)).toBe(3888);
});

test.each([
  ["", "Enter an amount such as 12.50."],
  ["twelve", "Enter an amount such as 12.50."],
  ["0", "Enter an amount such as 12.50."],
  ["38.89", "You can refund at most the remaining amount."],
  ["38.88", null],
  ["$12.50", null],
])("%j → %j", (text, problem) => {
  expect(refundProblem(text, money)).toBe(problem);
});

test("what was refunded already is no longer there to give", () => {
  const part = { ...money, refunded: "30.00" };
  expect(refundable(part)).toBe(888);
  expect(refundProblem("9", part)).not.toBeNull();
});
