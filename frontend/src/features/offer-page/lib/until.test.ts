import { expect, test } from "vitest";
import { laterBy, zonedInput } from "./until";

test("a moment reads on the restaurant's clock, whatever this device's is", () => {
  expect(zonedInput("2027-03-22T16:05:00Z", "America/New_York")).toBe("2027-03-22T12:05");
  expect(zonedInput("2027-03-22T04:00:00Z", "America/New_York")).toBe("2027-03-22T00:00");
  expect(zonedInput("2027-03-22T16:05:00Z", "Asia/Tokyo")).toBe("2027-03-23T01:05");
});

test("later means some hours, and never beyond the latest", () => {
  const latest = "2027-03-22T18:30:00.000Z";
  expect(laterBy(2, "2027-03-22T16:00:00Z", latest)).toBe("2027-03-22T18:00:00.000Z");
  expect(laterBy(24, "2027-03-22T16:00:00Z", latest)).toBe(latest);
});
