import type { HistoryEntry } from "@/api/types";
import { datesIn, newOfferValues, type OfferFormValues } from "./offer-schema";

/**
 * A form filled with a past special: decided in seven days, served the day after that, with its
 * alternative. `isOnMenu` says whether the alternative is still to be had; one that is not
 * is to be chosen again.
 */
export function redeployValues(
  entry: HistoryEntry,
  {
    timeZone,
    isOnMenu,
    now = new Date(),
  }: {
    timeZone: string;
    isOnMenu: (dishId: string) => boolean;
    now?: Date;
  },
): OfferFormValues {
  const alternative = entry.alternativeDishId;
  return {
    ...newOfferValues(timeZone, now),
    name: entry.name,
    description: entry.description,
    price: entry.regularPrice,
    specialOfferPrice: entry.specialOfferPrice,
    minPreordersRequired: String(entry.minPreordersRequired),
    maxPreorders: entry.maxPreorders === null ? "" : String(entry.maxPreorders),
    maxPerOrder: String(entry.maxPerOrder),
    ...datesIn(7, timeZone, now),
    hasAlternative: entry.hasAlternative,
    alternativeDishId: alternative && isOnMenu(alternative) ? alternative : "",
    allergens: [...(entry.allergens ?? [])],
    dietary: [...(entry.dietary ?? [])],
    imageUrl: entry.imageUrl,
  };
}
