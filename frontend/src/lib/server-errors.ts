import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { ApiError, NetworkError } from "@/api/client";

/** The sentence to show for a failed call: the server's own where it has one. */
export function sentenceFor(failure: unknown, fallback: string): string {
  if (failure instanceof NetworkError) return failure.message;
  return (failure instanceof ApiError && failure.sentence) || fallback;
}

/**
 * Puts the server's field errors beside their fields, the first one in focus.
 * Returns the sentence for the toast; `inForm` when some of it has no field to stand at.
 */
export function applyServerErrors<Values extends FieldValues>(
  failure: unknown,
  values: Values,
  setError: UseFormSetError<Values>,
  fallback: string,
): { sentence: string; inForm: boolean } {
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
