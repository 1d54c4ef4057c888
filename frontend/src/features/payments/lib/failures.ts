import type { ReactNode } from "react";
import { ApiError, NetworkError } from "@/api/client";
import { sentenceFor } from "@/lib/server-errors";
import { TimedOut } from "./timeout";

export interface Failure {
  title: string;
  text: ReactNode;
}

export const CONNECTION_FAILED = "Connection Failed";

/** Why there is no way to the setup pages. */
export function onboardingFailure(failure: unknown): Failure {
  if (failure instanceof TimedOut) {
    return { title: CONNECTION_FAILED, text: "Request timed out. Please try again." };
  }
  if (failure instanceof NetworkError) {
    return {
      title: "Connection Error",
      text: "Failed to connect to Stripe. Please try again.",
    };
  }
  const fallback =
    failure instanceof ApiError
      ? "Failed to start Stripe onboarding"
      : "Failed to connect with Stripe. Please try again";
  return { title: CONNECTION_FAILED, text: sentenceFor(failure, fallback) };
}

/** Why the payment provider's dashboard does not open. */
export function dashboardFailure(failure: unknown): Failure {
  if (failure instanceof ApiError) {
    if (needsOnboarding(failure.body)) {
      return {
        title: "Onboarding Required",
        text: "Complete your Stripe setup first, with the button on this page.",
      };
    }
    return { title: CONNECTION_FAILED, text: sentenceFor(failure, `Error ${failure.status}`) };
  }
  const text = failure instanceof Error ? failure.message : String(failure);
  return { title: CONNECTION_FAILED, text };
}

function needsOnboarding(body: unknown): boolean {
  return typeof body === "object" && body !== null && "needsOnboarding" in body
    ? body.needsOnboarding === true
    : false;
}
