import { useEffect, useMemo, useState } from "react";
import { shownRestaurant } from "@/api/client";
import type { Special } from "@/api/types";
import { clearOfferDraft, readOfferDraft, saveOfferDraft } from "../lib/offer-draft";
import { createOfferSchema, newOfferValues, type OfferFormValues } from "../lib/offer-schema";
import { REFUSED, useOfferForm } from "./use-offer-form";
import { usePublishing } from "./use-publishing";

/** The form of a new special: its values, saved until they are published, and publishing them. */
export function useNewOffer(timeZone: string) {
  const restaurant = shownRestaurant();
  const [draft] = useState(() => readOfferDraft(restaurant, newOfferValues(timeZone)));
  const { form, submit, problem, clearProblem } = useOfferForm({
    schema: useMemo(() => createOfferSchema(timeZone), [timeZone]),
    values: useMemo(() => draft?.values ?? newOfferValues(timeZone), [draft, timeZone]),
    refused: REFUSED,
  });
  const publishing = usePublishing(timeZone, draft?.key);
  const [restored, setRestored] = useState(draft !== null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const { unsubscribe } = form.watch((values) =>
      saveOfferDraft(restaurant, values as OfferFormValues, publishing.key),
    );
    return unsubscribe;
  }, [form, restaurant, publishing.key]);

  function startOver() {
    form.reset(newOfferValues(timeZone));
    clearOfferDraft();
    clearProblem();
    setRestored(false);
    // A new key resets the picture field as well.
    setRound((count) => count + 1);
  }

  /** Publishes the form's values; `onCreated` is called on success. */
  function publish(onCreated: (offer: Special) => void) {
    return submit(async (values) => {
      const offer = await publishing.publish(values);
      clearOfferDraft();
      setRestored(false);
      onCreated(offer);
    });
  }

  return { form, publish, startOver, restored, problem, round, busy: publishing.busy };
}
