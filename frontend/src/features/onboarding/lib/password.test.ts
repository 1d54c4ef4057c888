import { expect, test } from "vitest";
import { passwordProblem } from "./password";

test.each([
  ["", "Password Required", "Please enter a new password."],
  ["basil", "Password Too Short", "Password must be at least 8 characters long."],
  ["b".repeat(129), "Password Too Long", "Password must not exceed 128 characters"],
])("%j is refused", (password, title, message) =>
  expect(passwordProblem(password)).toEqual({ title, message }),
);

test("a password of 8 to 128 characters is accepted", () => {
  expect(passwordProblem("b".repeat(8))).toBeNull();
  expect(passwordProblem("b".repeat(128))).toBeNull();
});
