import { expect, test } from "vitest";
import { formatDay, formatMoment, noonAt, todayIn } from "./times";

test("a moment is told in the restaurant's zone, with the zone", () => {
  const text = formatMoment("2026-11-24T23:00:00Z", "America/New_York");
  expect(text.replaceAll("\u00a0", " ")).toBe("Tue, Nov 24, 6:00 PM EST");
});

test("a day stays the same day in every zone", () => {
  expect(formatDay("2026-11-26T12:00:00-05:00")).toBe("Thu, Nov 26");
});

test("a serve date is sent as noon at the restaurant, winter and summer", () => {
  expect(noonAt("2026-11-26", "America/New_York")).toBe("2026-11-26T12:00:00-05:00");
  expect(noonAt("2026-07-04", "America/New_York")).toBe("2026-07-04T12:00:00-04:00");
  expect(noonAt("2026-07-04", "Pacific/Honolulu")).toBe("2026-07-04T12:00:00-10:00");
});

test("today begins at the restaurant's midnight", () => {
  const now = new Date("2026-11-25T03:00:00Z");
  expect(todayIn("America/New_York", now)).toBe("2026-11-24");
  expect(todayIn("UTC", now)).toBe("2026-11-25");
});
