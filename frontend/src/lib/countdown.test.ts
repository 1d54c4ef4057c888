import { expect, test } from "vitest";
import { formatTimeLeft, nextTick } from "./countdown";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [2 * DAY + 3 * HOUR + 4 * MINUTE, "2d 3h 4m"],
  [DAY, "1d 0h 0m"],
  [DAY - 1, "23h 59m"],
  [3 * HOUR + 5 * MINUTE, "3h 5m"],
  [HOUR, "1h 0m"],
  [HOUR - 1, "59m"],
  [MINUTE, "1m"],
  [1, "1m"],
  [0, "Expired"],
  [-DAY, "Expired"],
])("%d ms reads %s", (left, text) => {
  expect(formatTimeLeft(left)).toBe(text);
});

test("the text is renewed each minute, each second in the last one, never after", () => {
  expect(nextTick(2 * HOUR)).toBe(MINUTE);
  expect(nextTick(MINUTE)).toBe(1000);
  expect(nextTick(0)).toBe(Number.POSITIVE_INFINITY);
});
