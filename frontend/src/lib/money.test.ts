import { afterEach, expect, test } from "vitest";
import amounts from "./amounts.json";
import {
  centsToDecimal,
  currencySign,
  formatCents,
  formatDecimal,
  parseCents,
  savings,
} from "./money";

afterEach(() => {
  delete document.documentElement.dataset.currency;
});

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

test.each(Object.entries(amounts))(
  "%s is written as the server writes it",
  (code, [much, less]) => {
    expect([formatCents(123_450, code), formatCents(-221, code)]).toEqual([much, less]);
    document.documentElement.dataset.currency = code;
    expect([formatCents(123_450), formatDecimal("-2.21")]).toEqual([much, less]);
    expect(parseCents(much as string)).toBe(123_450);
  },
);

test("the page's own sign may be typed, another's is no amount", () => {
  document.documentElement.dataset.currency = "cad";
  expect(currencySign()).toBe("CA$");
  expect(["CA$8", "$8", "€8", "A$8"].map(parseCents)).toEqual([800, 800, null, null]);
  document.documentElement.dataset.currency = "eur";
  expect(["€8,50", "$8.50"].map(parseCents)).toEqual([850, null]);
  document.documentElement.dataset.currency = "chf";
  expect(currencySign()).toBe("CHF");
});

test("savings are in cents and whole percent", () => {
  expect(savings(2400, 1800)).toEqual({ cents: 600, percent: 25 });
  expect(savings(900, 650)).toEqual({ cents: 250, percent: 28 });
});
