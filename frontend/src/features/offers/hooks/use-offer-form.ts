import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { isSignedOut, NetworkError } from "@/api/client";
import { applyServerErrors } from "@/lib/server-errors";
import { showError } from "@/ui/toaster";
import type { OfferFormValues, OfferSchema } from "../lib/offer-schema";

/** Why a form wasn't sent, if it isn't about a field. */
export interface Problem {
  sentence: ReactNode;
  isSignedOut: boolean;
}

/** The toast for a new special that wasn't published. */
export const REFUSED = {
  title: "Validation Failed",
  sentence: "Failed to create special offer",
};

/** Failures in which the server didn't check the form. */
function titleFor(failure: unknown, refused: string): string {
  if (isSignedOut(failure)) return "Please log in again";
  return failure instanceof NetworkError ? "You're offline" : refused;
}

interface OfferFormOptions {
  schema: OfferSchema;
  values: OfferFormValues;
  /** The title above the server's refusal, and the sentence if it gave no reason. */
  refused: { title: string; sentence: string };
}

/** A special's form: errors are shown beside their fields; those without a field are in `problem`. */
export function useOfferForm({ schema, values, refused }: OfferFormOptions) {
  const form = useForm<OfferFormValues>({
    resolver: useMemo(() => zodResolver(schema), [schema]),
    defaultValues: values,
  });
  const [problem, setProblem] = useState<Problem | null>(null);

  /** Sends what was typed once it is valid, and shows what `send` throws. */
  function submit(send: (typed: OfferFormValues) => Promise<void>) {
    return form.handleSubmit(
      async (typed) => {
        setProblem(null);
        try {
          await send(typed);
        } catch (failure) {
          const { sentence, inForm } = applyServerErrors(
            failure,
            typed,
            form.setError,
            refused.sentence,
          );
          if (inForm) setProblem({ sentence, isSignedOut: isSignedOut(failure) });
          showError(titleFor(failure, refused.title), sentence);
        }
      },
      () => showError("Validation Error", "Please correct the errors in the form."),
    )();
  }

  return { form, submit, problem, clearProblem: () => setProblem(null) };
}
