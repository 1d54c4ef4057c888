import { isEmail } from "@/lib/email";

/** What is wrong with the address a reset link is asked for; null when nothing is. */
export function forgotPasswordProblem(email: string): string | null {
  if (!email.trim()) return "Please enter your email address first";
  return isEmail(email) ? null : "Please enter a valid email address";
}
