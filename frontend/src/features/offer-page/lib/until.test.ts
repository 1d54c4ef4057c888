import { expect, test } from "vitest";
import { laterBy } from "./until";

test("later means some hours, and never beyond the latest", () => {
  const latest = "2027-03-22T18:30:00.000Z";
  expect(laterBy(2, "2027-03-22T16:00:00Z", latest)).toBe("2027-03-22T18:00:00.000Z");
  expect(laterBy(24, "2027-03-22T16:00:00Z", latest)).toBe(latest);
});
