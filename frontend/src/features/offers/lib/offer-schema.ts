import * as z from "zod/mini";
import type { Special } from "@/api/types";
import { parseCents } from "@/lib/money";
import { spanishValues } from "@/lib/second-language";
import { addDays, todayIn, zonedInput, zonedMoment } from "@/lib/times";
import { defaultDeadline } from "./deadlines";

const DAY = 24 * 60 * 60 * 1000;
/** Card authorisations expire after seven days; clocks may differ by five minutes (DECISIONS X12). */
const LATEST_DEADLINE = 7 * DAY + 5 * 60 * 1000;

const fields = z.object({
  name: z.string(),
  description: z.string(),
  story: z.string(),
  spanishName: z.string(),
  spanishDescription: z.string(),
  spanishStory: z.string(),
  price: z.string(),
  specialOfferPrice: z.string(),
  minPreordersRequired: z.string(),
  maxPreorders: z.string(),
  maxPerOrder: z.string(),
  friendHours: z.string(),
  specialServeDate: z.string(),
  serviceMode: z.string(),
  serveFrom: z.string(),
  serveUntil: z.string(),
  preorderExpiresAt: z.string(),
  hasAlternative: z.boolean(),
  alternativeDishId: z.string(),
  allergens: z.array(z.string()),
  dietary: z.array(z.string()),
  imageUrl: z.nullable(z.string()),
  moreImageUrls: z.array(z.string()),
});

/**
 * The form's values: text as typed, so that nothing is lost. The deadline is in the restaurant's
 * time zone, whatever this device's is.
 */
export type OfferFormValues = z.infer<typeof fields>;
export type OfferSchema = ReturnType<typeof createOfferSchema>;
export type OfferField = keyof OfferFormValues;

type Report = (field: OfferField, message: string) => void;

const MOST_PORTIONS = 10_000;
const MOST_FRIEND_HOURS = 72;
const TOO_MANY = "Choose at most 10,000 portions";
const HIGHEST_PRICE_CENTS = 999_999;

const isWhole = (text: string, least: number) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= least;
const isTooMany = (text: string) => isWhole(text, 1) && Number(text) > MOST_PORTIONS;

/** What is wrong with a typed price called `name`; undefined if nothing is. */
function priceError(name: string, text: string): string | undefined {
  if (/^\D*\d[\d,]*[.]\d{3,}$/.test(text.trim())) return `${name} can have at most two decimals`;
  const cents = parseCents(text) ?? 0;
  if (cents <= 0) return `${name} must be a positive number`;
  return cents > HIGHEST_PRICE_CENTS ? `${name} must be less than 10,000` : undefined;
}

function checkPortions(values: OfferFormValues, minimumMessage: string, report: Report): void {
  if (!isWhole(values.minPreordersRequired, 1)) report("minPreordersRequired", minimumMessage);
  else if (isTooMany(values.minPreordersRequired)) report("minPreordersRequired", TOO_MANY);
  if (values.maxPreorders.trim() !== "") {
    if (isTooMany(values.maxPreorders)) report("maxPreorders", TOO_MANY);
    else if (!isWhole(values.maxPreorders, 1)) {
      report("maxPreorders", "Maximum pre-orders must be a whole number, or empty for no limit");
    } else if (Number(values.maxPreorders) < Number(values.minPreordersRequired)) {
      report("maxPreorders", "Maximum pre-orders must be at least the minimum");
    }
  }
  if (!isWhole(values.maxPerOrder, 1)) {
    report("maxPerOrder", "Portions per order must be at least 1");
  }
  if (!isWhole(values.friendHours, 0) || Number(values.friendHours) > MOST_FRIEND_HOURS) {
    report("friendHours", "Choose 0 to 72 hours for friends; 0 turns it off");
  }
}

const isNotLess = ({ price, specialOfferPrice }: OfferFormValues) =>
  (parseCents(specialOfferPrice) ?? 0) >= (parseCents(price) ?? 0);

function checkAlternative(values: OfferFormValues, report: Report): void {
  if (values.hasAlternative && !z.guid().safeParse(values.alternativeDishId).success) {
    report("alternativeDishId", "Invalid alternative dish ID");
  }
}

function checkServingTimes(values: OfferFormValues, report: Report): void {
  const { serveFrom, serveUntil } = values;
  if (serveUntil && !serveFrom) {
    report("serveFrom", "Say when serving starts, or leave both times empty");
  } else if (serveUntil && serveUntil <= serveFrom) {
    report("serveUntil", "Serving must end after it starts, on the same day");
  }
}

/**
 * The create form's rules (X9). All errors are reported at once. `timeZone` is the restaurant's:
 * its calendar says whether the serve day is over before the deadline.
 */
export function createOfferSchema(timeZone: string, now: () => Date = () => new Date()) {
  return fields.check(({ value: values, issues }) => {
    const report: Report = (field, message) =>
      issues.push({ code: "custom", path: [field], message, input: values[field] });
    if (!values.name.trim()) report("name", "Name is required");

    const wrongPrice = priceError("Price", values.price);
    const wrongSpecial = priceError("Special offer price", values.specialOfferPrice);
    if (wrongPrice) report("price", wrongPrice);
    if (wrongSpecial) report("specialOfferPrice", wrongSpecial);
    else if (!wrongPrice && isNotLess(values)) {
      report("specialOfferPrice", "Special offer price must be less than regular price");
    }

    if (Number.isNaN(Date.parse(values.specialServeDate))) {
      report("specialServeDate", "Invalid date format");
    }
    checkPortions(values, "Minimum pre-orders must be at least 1", report);

    const deadline = zonedMoment(values.preorderExpiresAt, timeZone);
    const left = deadline.getTime() - now().getTime();
    if (Number.isNaN(left)) {
      report("preorderExpiresAt", "Invalid datetime format");
    } else if (left > LATEST_DEADLINE) {
      report(
        "preorderExpiresAt",
        "Pre-order deadline cannot be more than 7 days from today. Credit card authorizations expire after 7 days.",
      );
    } else if (left <= 0) {
      report("preorderExpiresAt", "Pre-order deadline must be in the future");
    } else if (values.specialServeDate && todayIn(timeZone, deadline) > values.specialServeDate) {
      report("specialServeDate", "Serve date must not be before the pre-order deadline");
    }
    checkServingTimes(values, report);
    checkAlternative(values, report);
  });
}

/** The edit form's rules; order of prices and the seven days are the server's (DECISIONS X10). */
export function editOfferSchema() {
  return fields.check(({ value: values, issues }) => {
    const report: Report = (field, message) =>
      issues.push({ code: "custom", path: [field], message, input: values[field] });
    if (!values.name.trim()) report("name", "Name is required");
    const wrongPrice = values.price.trim()
      ? priceError("Price", values.price)
      : "Price is required";
    const wrongSpecial = values.specialOfferPrice.trim()
      ? priceError("Special offer price", values.specialOfferPrice)
      : "Special offer price is required";
    if (wrongPrice) report("price", wrongPrice);
    if (wrongSpecial) report("specialOfferPrice", wrongSpecial);
    if (!values.specialServeDate) report("specialServeDate", "Serve date is required");
    if (!values.preorderExpiresAt) report("preorderExpiresAt", "Expiration date is required");
    checkPortions(values, "Minimum preorders must be at least 1", report);
    checkServingTimes(values, report);
    checkAlternative(values, report);
  });
}

/** An empty form: served tomorrow, closed at a whole hour before that, at least one portion. */
export function newOfferValues(timeZone: string, now: Date = new Date()): OfferFormValues {
  const specialServeDate = addDays(todayIn(timeZone, now), 1);
  return {
    specialServeDate,
    preorderExpiresAt: defaultDeadline(specialServeDate, timeZone, now),
    name: "",
    description: "",
    story: "",
    ...spanishValues(undefined),
    spanishStory: "",
    price: "",
    specialOfferPrice: "",
    minPreordersRequired: "1",
    maxPreorders: "",
    maxPerOrder: "20",
    friendHours: "24",
    serviceMode: "both",
    serveFrom: "",
    serveUntil: "",
    hasAlternative: false,
    alternativeDishId: "",
    allergens: [],
    dietary: [],
    imageUrl: null,
    moreImageUrls: [],
  };
}

/** A form filled with an offer, the alternative included (DECISIONS X11). */
export function offerValues(offer: Special, timeZone: string): OfferFormValues {
  return {
    name: offer.name,
    description: offer.description,
    story: offer.story,
    ...spanishValues(offer.translations),
    spanishStory: offer.translations.es?.story ?? "",
    price: offer.regularPrice,
    specialOfferPrice: offer.specialOfferPrice,
    minPreordersRequired: String(offer.minPreordersRequired),
    maxPreorders: offer.maxPreorders === null ? "" : String(offer.maxPreorders),
    maxPerOrder: String(offer.maxPerOrder),
    friendHours: String(offer.friendHours),
    specialServeDate: offer.specialServeDate.slice(0, 10),
    preorderExpiresAt: zonedInput(offer.preorderExpiresAt, timeZone),
    serviceMode: offer.serviceMode,
    serveFrom: offer.serveFrom ?? "",
    serveUntil: offer.serveUntil ?? "",
    hasAlternative: offer.hasAlternative,
    alternativeDishId: offer.alternativeDishId ?? "",
    allergens: [...offer.allergens],
    dietary: [...offer.dietary],
    imageUrl: offer.imageUrl,
    moreImageUrls: [...offer.moreImageUrls],
  };
}
