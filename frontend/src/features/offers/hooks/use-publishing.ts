import { useState } from "react";
import { ApiError } from "@/api/client";
import { freshKey } from "@/lib/fresh-key";
import { useCreateOffer } from "../api/create-offer";
import { createPayload } from "../lib/offer-payload";
import type { OfferFormValues } from "../lib/offer-schema";

/**
 * Publishes what a form holds, once: every press carries the form's key until one is answered, so
 * that a press whose answer was lost does not make a second special. `saved` is the key of a draft.
 */
export function usePublishing(timeZone: string, saved: string | null = null) {
  const [key, setKey] = useState(() => saved ?? freshKey());
  const create = useCreateOffer();

  async function publish(values: OfferFormValues) {
    try {
      const offer = await create.mutateAsync({ body: createPayload(values, timeZone), key });
      setKey(freshKey());
      return offer;
    } catch (failure) {
      // The form has published something else before: say so, and let the next press publish a new
      // one.
      const isOther = failure instanceof ApiError && failure.code === "idempotency_key_reused";
      if (isOther) setKey(freshKey());
      throw failure;
    }
  }

  return { publish, key, busy: create.isPending };
}
