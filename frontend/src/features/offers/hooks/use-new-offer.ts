import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import { shownRestaurant } from "@/api/client";
import type { Special } from "@/api/types";
import { applyServerErrors } from "@/lib/server-errors";
import { showError } from "@/ui/toaster";
import { useCreateOffer } from "../api/create-offer";
import { clearOfferDraft, keepOfferDraft, readOfferDraft } from "../lib/offer-draft";
import { createPayload } from "../lib/offer-payload";
import { createOfferSchema, newOfferValues, type OfferFormValues } from "../lib/offer-schema";

/** The form of a new special: its values, kept until they are published, and publishing them. */
export function useNewOffer(timeZone: string) {
  const restaurant = shownRestaurant();
  const start = useMemo(() => {
    const fresh = newOfferValues(timeZone);
    const kept = readOfferDraft(restaurant, fresh);
    return { values: kept ?? fresh, restored: kept !== null };
  }, [restaurant, timeZone]);
  const form = useForm<OfferFormValues>({
    resolver: useMemo(() => zodResolver(createOfferSchema(timeZone)), [timeZone]),
    defaultValues: start.values,
  });
  const create = useCreateOffer();
  const [restored, setRestored] = useState(start.restored);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const { unsubscribe } = form.watch((values) =>
      keepOfferDraft(restaurant, values as OfferFormValues),
    );
    return unsubscribe;
  }, [form, restaurant]);

  function startOver() {
    form.reset(newOfferValues(timeZone));
    clearOfferDraft();
    setProblem(null);
    setRestored(false);
    // A new key gives the picture field a fresh start as well.
    setRound((count) => count + 1);
  }

  /** Publishes what stands in the form; `onCreated` is called when that went well. */
  function publish(onCreated: (offer: Special) => void) {
    return form.handleSubmit(
      async (values) => {
        setProblem(null);
        try {
          const offer = await create.mutateAsync(createPayload(values, timeZone));
          clearOfferDraft();
          setRestored(false);
          onCreated(offer);
        } catch (failure) {
          const { sentence, inForm } = applyServerErrors(
            failure,
            values,
            form.setError,
            "Failed to create special offer",
          );
          if (inForm) setProblem(sentence);
          showError("Validation Failed", sentence);
        }
      },
      () => showError("Validation Error", "Please correct the errors in the form."),
    )();
  }

  return { form, publish, startOver, restored, problem, round, busy: create.isPending };
}
