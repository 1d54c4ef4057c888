import * as z from "zod/mini";

const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 128;

/** What is wrong with a new password, as title and sentence; null when nothing is. */
export function passwordProblem(password: string): { title: string; message: string } | null {
  if (!password) return { title: "Password Required", message: "Please enter a new password." };
  if (password.length < SHORTEST_PASSWORD) {
    return {
      title: "Password Too Short",
      message: "Password must be at least 8 characters long.",
    };
  }
  if (password.length > LONGEST_PASSWORD) {
    return { title: "Password Too Long", message: "Password must not exceed 128 characters" };
  }
  return null;
}

export const setPasswordSchema = z.object({ password: z.string() }).check(({ value, issues }) => {
  const error = passwordProblem(value.password);
  if (error) {
    const { password: input } = value;
    issues.push({ code: "custom", path: ["password"], message: error.message, input });
  }
});
