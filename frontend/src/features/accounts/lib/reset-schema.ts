import * as z from "zod/mini";

/** A new password and its repetition. */
export const resetSchema = z
  .object({ password: z.string(), confirmation: z.string() })
  .check(({ value, issues }) => {
    const { password, confirmation } = value;
    if (password.length < 8) {
      issues.push({
        code: "custom",
        path: ["password"],
        message: "Password must be at least 8 characters long",
        input: password,
      });
    } else if (password.length > 128) {
      issues.push({
        code: "custom",
        path: ["password"],
        message: "Password must not exceed 128 characters",
        input: password,
      });
    }
    if (confirmation !== password) {
      issues.push({
        code: "custom",
        path: ["confirmation"],
        message: "Passwords do not match",
        input: confirmation,
      });
    }
  });
