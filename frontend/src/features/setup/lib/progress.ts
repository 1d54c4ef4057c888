import type { Completion } from "@/api/types";

export const STEPS = 3;

/** Done steps as whole percent of three, never more than 100. */
export function setupProgress(done: number): number {
  return Math.min(100, Math.round((100 * done) / STEPS));
}

/**
 * The three steps, done or not. What the payment account says itself counts; until it is known, the
 * completion's own answer stands in for it.
 */
export function stepsOf(completion: Completion, paymentComplete: boolean | undefined) {
  return {
    profile: completion.profileCompleted,
    marketing: completion.marketingCompleted,
    payment: paymentComplete ?? completion.stripeCompleted,
  };
}
