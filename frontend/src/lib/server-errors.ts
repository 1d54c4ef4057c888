import { createElement, type ReactNode } from "react";
import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError, isSignedOut } from "@/api/client";
import { SignedOut } from "@/ui/signed-out";
import { wordsFor } from "./failure-words";

/**
 * What to show for a failed call: the server's own sentence if there is one. If the session has
 * ended elsewhere, how to sign in on another tab (decision 109).
 */
export function sentenceFor(failure: unknown, fallback: string): ReactNode {
  return isSignedOut(failure) ? createElement(SignedOut) : wordsFor(failure, fallback);
}

/**
 * Puts the server's field errors beside their fields, and focuses the first one. Returns the
 * sentence for the toast; `inForm` if some errors have no field to appear at.
 */
export function applyServerErrors<Values extends FieldValues>(
  failure: unknown,
  values: Values,
  setError: UseFormSetError<Values>,
  fallback: string,
): { sentence: ReactNode; inForm: boolean } {
  const sentence = sentenceFor(failure, fallback);
  if (!(failure instanceof ApiError)) return { sentence, inForm: true };
  let placed = 0;
  for (const { field, message } of failure.errors) {
    if (field in values) {
      const name = field as Path<Values>;
      setError(name, { type: "server", message }, { shouldFocus: placed === 0 });
      placed += 1;
    }
  }
  return { sentence, inForm: placed === 0 || placed < failure.errors.length };
}
