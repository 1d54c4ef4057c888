import { expect, test } from "vitest";
import type { Analytics } from "@/api/types";
import { changeOf, formatFigure } from "./changes";
import { csvOf } from "./csv";
import { exampleAnalytics } from "./example";
import { lastDays, periodName, presetOf } from "./periods";

test("a preset ends today and begins so many days before", () => {
  expect(lastDays(30, "2027-03-22")).toEqual({ from: "2027-02-21", to: "2027-03-22" });
  expect(presetOf("2027-02-21", "2027-03-22", "2027-03-22")).toBe(30);
  expect(presetOf("2027-02-21", "2027-03-21", "2027-03-22")).toBeUndefined();
});

test("a period names its first and last day", () => {
  expect(periodName({ first: "2027-02-21", last: "2027-03-22" })).toBe("Feb 21 – Mar 22, 2027");
});

test.each([
  [120, 100, "count", "20% up"],
  ["90.00", "100.00", "money", "10% down"],
  ["12.5", "10.0", "percent", "2.5 points up"],
  [100, 100, "count", "no change"],
] as const)("from %s, before %s: %s", (now, before, unit, words) => {
  expect(changeOf(now, before, unit)?.words).toBe(words);
});

test("without anything before there is nothing to compare with", () => {
  expect(changeOf(5, 0, "count")).toBeNull();
  expect(changeOf("5.0", null, "percent")).toBeNull();
});

test("figures are shown as amounts, counts, and percentages", () => {
  expect(formatFigure("1234.50", "money")).toBe("$1,234.50");
  expect(formatFigure("-3.00", "money")).toBe("-$3.00");
  expect(formatFigure(1234, "count")).toBe("1,234");
  expect(formatFigure("12.5", "percent")).toBe("12.5%");
  expect(formatFigure(null, "percent")).toBe("–");
});

test("a name is a text in a spreadsheet, whatever it begins with", () => {
  const example = exampleAnalytics("2027-03-22");
  const risky: Analytics = {
    ...example,
    offers: example.offers
      .slice(0, 1)
      .map((offer) => ({ ...offer, name: '=HYPERLINK("http://x"), "two"' })),
  };
  const lines = csvOf(risky).trimEnd().split("\r\n");
  expect(lines[0]).toBe("Day,Visits,Orders,Portions,Conversion %,Revenue,Payout");
  expect(lines).toHaveLength(1 + 30 + 1 + 1 + 1 + 1);
  expect(lines.at(-1)).toMatch(/^"'=HYPERLINK\(""http:\/\/x""\), ""two""",2027-/);
});
