import { ApiError, isSignedOut, NetworkError } from "@/api/client";

/**
 * The sentence for a failed call, for places that can't show a link: the server's own if there is
 * one.
 */
export function wordsFor(failure: unknown, fallback: string): string {
  if (isSignedOut(failure)) return "You've been signed out. Sign in again, then try again.";
  if (failure instanceof NetworkError) return failure.message;
  return (failure instanceof ApiError && failure.sentence) || fallback;
}
