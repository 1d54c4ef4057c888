import type { UseFormSetError } from "react-hook-form";
import { ApiError, NetworkError } from "@/api/client";
import type { OfferField, OfferFormValues } from "./offer-schema";

/**
 * Puts the server's field errors beside their fields.
 * Returns the sentence for the toast and the form's own notice.
 */
export function applyServerErrors(
  failure: unknown,
  values: OfferFormValues,
  setError: UseFormSetError<OfferFormValues>,
  fallback: string,
): { sentence: string; inForm: boolean } {
  if (failure instanceof NetworkError) return { sentence: failure.message, inForm: true };
  if (!(failure instanceof ApiError)) return { sentence: fallback, inForm: true };
  let placed = 0;
  for (const { field, message } of failure.errors) {
    if (field in values) {
      setError(field as OfferField, { type: "server", message }, { shouldFocus: placed === 0 });
      placed += 1;
    }
  }
  const everyFieldPlaced = placed > 0 && placed === failure.errors.length;
  return { sentence: failure.sentence ?? fallback, inForm: !everyFieldPlaced };
}
