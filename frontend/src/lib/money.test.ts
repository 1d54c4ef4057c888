import { expect, test } from "vitest";
import { centsToDecimal, formatCents, formatDecimal, parseCents, savings } from "./money";

test.each([
  ["24", 2400],
  ["24.5", 2450],
  [" $1,234.50 ", 123_450],
  ["0.01", 1],
  ["24,50", 2450],
])("%s is %d cents", (text, cents) => {
  expect(parseCents(text)).toBe(cents);
});

test.each(["", "free", "-3", "1.234", "1e3", "12.", "NaN"])("'%s' is no amount", (text) => {
  expect(parseCents(text)).toBeNull();
});

test("cents are shown with a dollar sign and sent as a decimal", () => {
  expect(formatCents(123_450)).toBe("$1,234.50");
  expect(centsToDecimal(123_405)).toBe("1234.05");
  expect(formatDecimal("18.00")).toBe("$18.00");
  expect(formatDecimal("-2.21")).toBe("-$2.21");
});

test("savings in cents and whole per cent", () => {
  expect(savings(2400, 1800)).toEqual({ cents: 600, percent: 25 });
  expect(savings(900, 650)).toEqual({ cents: 250, percent: 28 });
});
