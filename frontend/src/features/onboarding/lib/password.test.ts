import { expect, test } from "vitest";
import { passwordFault } from "./password";

test.each([
  ["", "Password Required", "Please enter a new password."],
  ["basil", "Password Too Short", "Password must be at least 8 characters long."],
  ["b".repeat(129), "Password Too Long", "Password must not exceed 128 characters"],
])("%j is refused with its title and sentence", (password, title, message) =>
  expect(passwordFault(password)).toEqual({ title, message }),
);

test("8 to 128 characters are fine", () => {
  expect(passwordFault("b".repeat(8))).toBeNull();
  expect(passwordFault("b".repeat(128))).toBeNull();
});
