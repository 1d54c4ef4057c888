import { zodResolver } from "@hookform/resolvers/zod";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, NetworkError } from "@/api/client";
import { applyServerErrors } from "@/lib/server-errors";
import { showError } from "@/ui/toaster";
import type { OfferFormValues, OfferSchema } from "../lib/offer-schema";

/** Why a form was not sent, where no field says it. */
export interface Problem {
  sentence: string;
  isSignedOut: boolean;
}

/** How it is told that a new special was not published. */
export const REFUSED = {
  title: "Validation Failed",
  sentence: "Failed to create special offer",
};

interface OfferFormOptions {
  schema: OfferSchema;
  values: OfferFormValues;
  /** The title over what the server refused, and what to say when it gave no reason. */
  refused: { title: string; sentence: string };
}

/** A special's form: errors are shown beside their fields; those without a field are in `problem`. */
export function useOfferForm({ schema, values, refused }: OfferFormOptions) {
  const form = useForm<OfferFormValues>({
    resolver: useMemo(() => zodResolver(schema), [schema]),
    defaultValues: values,
  });
  const [problem, setProblem] = useState<Problem | null>(null);

  /** Sends what was typed once it is in order; what `send` throws is told. */
  function submit(send: (typed: OfferFormValues) => Promise<void>) {
    return form.handleSubmit(
      async (typed) => {
        setProblem(null);
        try {
          await send(typed);
        } catch (failure) {
          if (failure instanceof ApiError && failure.status === 401) {
            const sentence = "You've been signed out. Sign in again to continue.";
            setProblem({ sentence, isSignedOut: true });
            showError("Please log in again", sentence);
            return;
          }
          const { sentence, inForm } = applyServerErrors(
            failure,
            typed,
            form.setError,
            refused.sentence,
          );
          if (inForm) setProblem({ sentence, isSignedOut: false });
          // Without an answer nothing was found wrong with what was typed.
          const isUnanswered = failure instanceof NetworkError;
          showError(isUnanswered ? "You're offline" : refused.title, sentence);
        }
      },
      () => showError("Validation Error", "Please correct the errors in the form."),
    )();
  }

  return { form, submit, problem, clearProblem: () => setProblem(null) };
}
