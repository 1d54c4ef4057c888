import { expect, test } from "vitest";
import { forgotPasswordProblem } from "./forgot-password";
import { resetSchema } from "./reset-schema";

test.each([
  ["", "Please enter your email address first"],
  ["luisa", "Please enter a valid email address"],
  ["luisa@example.com", null],
])("asking for a link with %j", (email, problem) =>
  expect(forgotPasswordProblem(email)).toBe(problem),
);

test.each([
  ["basil", "basil", "Password must be at least 8 characters long"],
  ["basil-and-lemon", "basil-and-lime", "Passwords do not match"],
  ["b".repeat(129), "b".repeat(129), "Password must not exceed 128 characters"],
])("a new password %s, repeated as %s, is refused", (password, confirmation, message) => {
  const { error } = resetSchema.safeParse({ password, confirmation });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("a password of the right length, repeated, is accepted", () => {
  const password = "basil-and-lemon";
  expect(resetSchema.safeParse({ password, confirmation: password }).success).toBe(true);
});
