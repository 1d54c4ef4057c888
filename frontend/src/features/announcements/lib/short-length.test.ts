import { expect, test } from "vitest";
import { shortLength } from "./short-length";

test.each([
  ["", 0],
  ["See https://example.test/a/very/long/way", 27],
  ["Yes 🍝", 6],
  ["It’s on", 7],
  ["On…", 4],
  ["two http://a.test and http://b.test", 4 + 23 + 5 + 23],
])("%j counts %d", (text, length) => {
  expect(shortLength(text)).toBe(length);
});
