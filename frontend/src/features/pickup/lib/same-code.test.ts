import { expect, test } from "vitest";
import { codeFilter } from "./same-code";

test("a code that stays before the camera counts once, and again when it comes back", () => {
  let now = 0;
  const isNew = codeFilter(() => now);
  expect(isNew("a")).toBe(true);
  for (now = 100; now < 10_000; now += 100) expect(isNew("a")).toBe(false);
  expect(isNew("b")).toBe(true);
  expect(isNew("a")).toBe(true);
  now += 3_001;
  expect(isNew("a")).toBe(true);
});
