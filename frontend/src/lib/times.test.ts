import { expect, test } from "vitest";
import {
  addDays,
  formatDay,
  formatMoment,
  noonAt,
  todayIn,
  zonedInput,
  zonedMoment,
} from "./times";

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

test("a moment reads on the restaurant's clock, whatever this device's is", () => {
  expect(zonedInput("2027-03-22T16:05:00Z", "America/New_York")).toBe("2027-03-22T12:05");
  expect(zonedInput("2027-03-22T04:00:00Z", "America/New_York")).toBe("2027-03-22T00:00");
  expect(zonedInput("2027-03-22T16:05:00Z", "Asia/Tokyo")).toBe("2027-03-23T01:05");
});

test("what a zone's clock shows is one moment, in winter, in summer and around the change", () => {
  const moment = (wall: string, zone = "America/New_York") => zonedMoment(wall, zone).toISOString();
  expect(moment("2026-11-24T18:00")).toBe("2026-11-24T23:00:00.000Z");
  expect(moment("2026-07-04T18:00")).toBe("2026-07-04T22:00:00.000Z");
  // Clocks change on March 14 and November 7, 2027, at 2 AM.
  expect(moment("2027-03-14T01:59")).toBe("2027-03-14T06:59:00.000Z");
  expect(moment("2027-03-14T03:00")).toBe("2027-03-14T07:00:00.000Z");
  expect(moment("2027-11-07T00:30")).toBe("2027-11-07T04:30:00.000Z");
  expect(moment("2027-11-07T02:00")).toBe("2027-11-07T07:00:00.000Z");
  expect(moment("2026-11-24T18:00", "Asia/Tokyo")).toBe("2026-11-24T09:00:00.000Z");
});

test.each(["", "soon", "2026-11-24", "2026-13-45T99:00"])("%j is no time on any clock", (wall) => {
  expect(zonedMoment(wall, "America/New_York").getTime()).toBeNaN();
});

test("days are counted on the calendar", () => {
  expect(addDays("2026-11-30", 1)).toBe("2026-12-01");
  expect(addDays("2027-03-15", -2)).toBe("2027-03-13");
});
