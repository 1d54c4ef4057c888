import { allergens, diets } from "@/lib/diets";
import { formatCents, parseCents } from "@/lib/money";
import { serviceModes } from "@/lib/service-modes";
import { formatDay, formatMoment, zonedMoment } from "@/lib/times";
import type { DishChoice } from "../types";
import type { OfferField, OfferFormValues } from "./offer-schema";

/** What each field of a special's form is called where it is named alone. */
export const offerFieldLabels: Record<OfferField, string> = {
  name: "Name",
  description: "Description",
  story: "Your words about it",
  spanishName: "Name in Spanish",
  spanishDescription: "Description in Spanish",
  spanishStory: "Your words about it in Spanish",
  price: "Regular price",
  specialOfferPrice: "Special price",
  minPreordersRequired: "Minimum pre-orders",
  maxPreorders: "Sold out at",
  maxPerOrder: "Limit per order",
  friendHours: "Hours for friends",
  specialServeDate: "Serve date",
  serviceMode: "How it's eaten",
  serveFrom: "Served from",
  serveUntil: "Served until",
  preorderExpiresAt: "Orders close",
  hasAlternative: "Another dish if the minimum is not reached",
  alternativeDishId: "Alternative dish",
  allergens: "Allergens",
  dietary: "Dietary tags",
  imageUrl: "Photo",
  moreImageUrls: "More photos",
};

const listed = (names: string[]) => (names.length > 0 ? names.join(", ") : "None");

/** A field's value as a person reads it. */
export function offerWords(
  name: OfferField,
  values: OfferFormValues,
  { dishes, timeZone }: { dishes: DishChoice[]; timeZone: string },
): string {
  switch (name) {
    case "price":
    case "specialOfferPrice":
      return formatCents(parseCents(values[name]) ?? 0);
    case "specialServeDate":
      return formatDay(values.specialServeDate);
    case "preorderExpiresAt":
      return formatMoment(zonedMoment(values.preorderExpiresAt, timeZone).toISOString(), timeZone);
    case "serviceMode":
      return serviceModes[values.serviceMode] ?? values.serviceMode;
    case "maxPreorders":
      return values.maxPreorders || "No limit";
    case "hasAlternative":
      return values.hasAlternative ? "Yes" : "No";
    case "alternativeDishId":
      return dishes.find(({ id }) => id === values.alternativeDishId)?.name ?? "None";
    case "allergens":
      return listed(values.allergens.map((mark) => allergens[mark as keyof typeof allergens]));
    case "dietary":
      return listed(values.dietary.map((mark) => diets[mark as keyof typeof diets]));
    case "imageUrl":
      return values.imageUrl ? "Another photo" : "No photo";
    case "moreImageUrls":
      return values.moreImageUrls.length === 1
        ? "1 photo"
        : `${values.moreImageUrls.length} photos`;
    default:
      return values[name] || "Empty";
  }
}
