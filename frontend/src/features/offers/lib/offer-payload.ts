import type { Allergen, Diet, OfferEditInput, OfferInput, ServiceMode, Special } from "@/api/types";
import { centsToDecimal, parseCents } from "@/lib/money";
import { translationsOf } from "@/lib/second-language";
import { noonAt, zonedMoment } from "@/lib/times";
import { type OfferFormValues, offerValues } from "./offer-schema";

/** What changed of an offer, with the version that the form was filled with. */
export type OfferChanges = Partial<OfferEditInput> & Pick<Special, "version">;

const decimal = (text: string) => centsToDecimal(parseCents(text) ?? 0);

function common(values: OfferFormValues, timeZone: string): OfferInput {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    story: values.story.trim(),
    translations: translationsOf(values),
    price: decimal(values.price),
    isSpecialOffer: true,
    specialOfferPrice: decimal(values.specialOfferPrice),
    specialServeDate: noonAt(values.specialServeDate, timeZone),
    minPreordersRequired: Number(values.minPreordersRequired),
    maxPreorders: values.maxPreorders.trim() === "" ? null : Number(values.maxPreorders),
    maxPerOrder: Number(values.maxPerOrder),
    friendHours: Number(values.friendHours),
    serviceMode: values.serviceMode as ServiceMode,
    serveFrom: values.serveFrom || null,
    serveUntil: values.serveUntil || null,
    preorderExpiresAt: zonedMoment(values.preorderExpiresAt, timeZone).toISOString(),
    hasAlternative: values.hasAlternative,
    allergens: values.allergens as Allergen[],
    dietary: values.dietary as Diet[],
    imageUrl: values.imageUrl,
    moreImageUrls: values.moreImageUrls,
  };
}

/** A new offer. The alternative's id is sent only if there is one. */
export function createPayload(values: OfferFormValues, timeZone: string): OfferInput {
  const payload = common(values, timeZone);
  if (values.hasAlternative) payload.alternativeDishId = values.alternativeDishId;
  return payload;
}

/**
 * Only what changed, so that a colleague's changes stay. By the version, the server notices changes
 * that the person hasn't seen.
 */
export function changedPayload(
  values: OfferFormValues,
  offer: Special,
  timeZone: string,
): OfferChanges {
  const now = alternativeNamed(values, timeZone);
  const before = alternativeNamed(offerValues(offer, timeZone), timeZone);
  const names = (Object.keys(now) as (keyof OfferInput)[]).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
  const changed = Object.fromEntries(names.map((name) => [name, now[name]]));
  return { ...changed, version: offer.version };
}

function alternativeNamed(values: OfferFormValues, timeZone: string): OfferInput {
  const alternativeDishId = values.hasAlternative ? values.alternativeDishId : null;
  return { ...common(values, timeZone), alternativeDishId };
}
