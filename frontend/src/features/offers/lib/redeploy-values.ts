import type { HistoryEntry } from "@/api/types";
import { spanishValues } from "@/lib/second-language";
import { zonedInput } from "@/lib/times";
import { newOfferValues, type OfferFormValues } from "./offer-schema";

/**
 * A form filled with a past special: on its next weekday, with its old hours and its alternative.
 * `isOnMenu` says whether the alternative is still on the menu; if it isn't, the owner chooses
 * another one.
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
    story: entry.story ?? "",
    ...spanishValues(entry.translations),
    spanishStory: entry.translations?.es?.story ?? "",
    price: entry.regularPrice,
    specialOfferPrice: entry.specialOfferPrice,
    minPreordersRequired: String(entry.minPreordersRequired),
    maxPreorders: entry.maxPreorders === null ? "" : String(entry.maxPreorders),
    maxPerOrder: String(entry.maxPerOrder),
    friendHours: String(entry.friendHours),
    serviceMode: entry.serviceMode ?? "both",
    serveFrom: entry.serveFrom ?? "",
    serveUntil: entry.serveUntil ?? "",
    specialServeDate: entry.nextServeDate.slice(0, 10),
    preorderExpiresAt: zonedInput(entry.nextDeadline, timeZone),
    hasAlternative: entry.hasAlternative,
    alternativeDishId: alternative && isOnMenu(alternative) ? alternative : "",
    allergens: [...(entry.allergens ?? [])],
    dietary: [...(entry.dietary ?? [])],
    imageUrl: entry.imageUrl,
    moreImageUrls: [...(entry.moreImageUrls ?? [])],
  };
}
