import type { Allergen, Diet, OfferEditInput, OfferInput, Special } from "@/api/types";
import { centsToDecimal, parseCents } from "@/lib/money";
import { noonAt, toDateTimeInput } from "@/lib/times";
import type { OfferFormValues } from "./offer-schema";

const decimal = (text: string) => centsToDecimal(parseCents(text) ?? 0);

function common(values: OfferFormValues, timeZone: string): OfferInput {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    price: decimal(values.price),
    isSpecialOffer: true,
    specialOfferPrice: decimal(values.specialOfferPrice),
    specialServeDate: noonAt(values.specialServeDate, timeZone),
    minPreordersRequired: Number(values.minPreordersRequired),
    maxPreorders: values.maxPreorders.trim() === "" ? null : Number(values.maxPreorders),
    maxPerOrder: Number(values.maxPerOrder),
    preorderExpiresAt: new Date(values.preorderExpiresAt).toISOString(),
    hasAlternative: values.hasAlternative,
    allergens: values.allergens as Allergen[],
    dietary: values.dietary as Diet[],
    imageUrl: values.imageUrl,
  };
}

/** A new offer. The alternative's id travels only when there is one. */
export function createPayload(values: OfferFormValues, timeZone: string): OfferInput {
  const payload = common(values, timeZone);
  if (values.hasAlternative) payload.alternativeDishId = values.alternativeDishId;
  return payload;
}

/**
 * A changed offer. The alternative is always sent (DECISIONS X11). The input shows whole
 * minutes: an untouched deadline goes back as it came, seconds included.
 */
export function updatePayload(
  values: OfferFormValues,
  offer: Pick<Special, "preorderExpiresAt">,
  timeZone: string,
): OfferEditInput {
  const payload = common(values, timeZone);
  payload.alternativeDishId = values.hasAlternative ? values.alternativeDishId : null;
  if (values.preorderExpiresAt === toDateTimeInput(new Date(offer.preorderExpiresAt))) {
    payload.preorderExpiresAt = offer.preorderExpiresAt;
  }
  return payload;
}
