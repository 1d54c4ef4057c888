import { expect, test } from "vitest";
import { cardOf, firstOpen, nextOpen } from "./cards";

const nothing = {
  profile: false,
  offers: false,
  payments: false,
  announce: false,
  social: false,
  password: false,
};

test("the first card that is left is open, and none once all are done", () => {
  expect(firstOpen(nothing)).toBe("profile");
  expect(firstOpen({ ...nothing, profile: true, offers: true, payments: true })).toBe("announce");
  const all = Object.fromEntries(Object.keys(nothing).map((card) => [card, true]));
  expect(firstOpen(all as typeof nothing)).toBeNull();
});

test("after a card comes the next one that is left, and what was passed over waits", () => {
  expect(nextOpen({ ...nothing, profile: true, offers: true }, "profile")).toBe("payments");
  expect(nextOpen(nothing, "payments")).toBe("announce");
  expect(nextOpen(nothing, "password")).toBeNull();
});

test("a link to a step opens its card", () => {
  expect(["name", "address", "special", "share"].map(cardOf)).toEqual([
    "profile",
    "profile",
    "offers",
    "announce",
  ]);
  expect(cardOf("")).toBeUndefined();
  expect(cardOf("toString")).toBeUndefined();
});
