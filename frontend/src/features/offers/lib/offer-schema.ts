import * as z from "zod/mini";
import type { Special } from "@/api/types";
import { parseCents } from "@/lib/money";
import { toDateTimeInput, todayIn } from "@/lib/times";

const DAY = 24 * 60 * 60 * 1000;
/** Card authorisations expire after seven days; clocks may differ by five minutes (DECISIONS X12). */
const LATEST_DEADLINE = 7 * DAY + 5 * 60 * 1000;

const fields = z.object({
  name: z.string(),
  description: z.string(),
  price: z.string(),
  specialOfferPrice: z.string(),
  minPreordersRequired: z.string(),
  maxPreorders: z.string(),
  maxPerOrder: z.string(),
  specialServeDate: z.string(),
  preorderExpiresAt: z.string(),
  hasAlternative: z.boolean(),
  alternativeDishId: z.string(),
  allergens: z.array(z.string()),
  dietary: z.array(z.string()),
  imageUrl: z.nullable(z.string()),
});

/** What stands in the form: the text as typed, so that nothing is lost on the way. */
export type OfferFormValues = z.infer<typeof fields>;
export type OfferSchema = ReturnType<typeof createOfferSchema>;
export type OfferField = keyof OfferFormValues;

type Report = (field: OfferField, message: string) => void;

const isWhole = (text: string, least: number) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least;

function checkPortions(values: OfferFormValues, minimumMessage: string, report: Report): void {
  if (!isWhole(values.minPreordersRequired, 1)) report("minPreordersRequired", minimumMessage);
  if (values.maxPreorders.trim() !== "") {
    if (!isWhole(values.maxPreorders, 1)) {
      report("maxPreorders", "Maximum pre-orders must be a whole number, or empty for no limit");
    } else if (Number(values.maxPreorders) < Number(values.minPreordersRequired)) {
      report("maxPreorders", "Maximum pre-orders must be at least the minimum");
    }
  }
  if (!isWhole(values.maxPerOrder, 1)) {
    report("maxPerOrder", "Portions per order must be at least 1");
  }
}

function checkAlternative(values: OfferFormValues, report: Report): void {
  if (values.hasAlternative && !z.guid().safeParse(values.alternativeDishId).success) {
    report("alternativeDishId", "Invalid alternative dish ID");
  }
}

/**
 * The create form's rules (X9). All faults are reported at once. `timeZone` is the
 * restaurant's: its calendar says whether the serve day is over before the deadline.
 */
export function createOfferSchema(timeZone: string, now: () => Date = () => new Date()) {
  return fields.check(({ value: values, issues }) => {
    const report: Report = (field, message) =>
      issues.push({ code: "custom", path: [field], message, input: values[field] });
    if (!values.name.trim()) report("name", "Name is required");

    const price = parseCents(values.price) ?? 0;
    const special = parseCents(values.specialOfferPrice) ?? 0;
    if (price <= 0) report("price", "Price must be a positive number");
    if (special <= 0) {
      report("specialOfferPrice", "Special offer price must be a positive number");
    } else if (price > 0 && special >= price) {
      report("specialOfferPrice", "Special offer price must be less than regular price");
    }

    if (Number.isNaN(Date.parse(values.specialServeDate))) {
      report("specialServeDate", "Invalid date format");
    }
    checkPortions(values, "Minimum pre-orders must be at least 1", report);

    const deadline = new Date(values.preorderExpiresAt);
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
    checkAlternative(values, report);
  });
}

/** The edit form's rules; order of prices and the seven days are the server's (DECISIONS X10). */
export function editOfferSchema() {
  return fields.check(({ value: values, issues }) => {
    const report: Report = (field, message) =>
      issues.push({ code: "custom", path: [field], message, input: values[field] });
    if (!values.name.trim()) report("name", "Name is required");
    if (!values.price.trim()) report("price", "Price is required");
    else if (!parseCents(values.price)) report("price", "Price must be a positive number");
    if (!values.specialOfferPrice.trim()) {
      report("specialOfferPrice", "Special offer price is required");
    } else if (!parseCents(values.specialOfferPrice)) {
      report("specialOfferPrice", "Special offer price must be a positive number");
    }
    if (!values.specialServeDate) report("specialServeDate", "Serve date is required");
    if (!values.preorderExpiresAt) report("preorderExpiresAt", "Expiration date is required");
    checkPortions(values, "Minimum preorders must be at least 1", report);
    checkAlternative(values, report);
  });
}

/** Deadline and serve day so many days from now; the day after for more than one. */
export function datesIn(days: number, timeZone: string, now: Date = new Date()) {
  const served = days > 1 ? days + 1 : days;
  return {
    preorderExpiresAt: toDateTimeInput(new Date(now.getTime() + days * DAY)),
    specialServeDate: todayIn(timeZone, new Date(now.getTime() + served * DAY)),
  };
}

/** An empty form: serve tomorrow, decide in 24 hours, at least one portion. */
export function newOfferValues(timeZone: string, now: Date = new Date()): OfferFormValues {
  return {
    ...datesIn(1, timeZone, now),
    name: "",
    description: "",
    price: "",
    specialOfferPrice: "",
    minPreordersRequired: "1",
    maxPreorders: "",
    maxPerOrder: "20",
    hasAlternative: false,
    alternativeDishId: "",
    allergens: [],
    dietary: [],
    imageUrl: null,
  };
}

/** A form filled with an offer, the alternative included (DECISIONS X11). */
export function offerValues(offer: Special): OfferFormValues {
  return {
    name: offer.name,
    description: offer.description,
    price: offer.regularPrice,
    specialOfferPrice: offer.specialOfferPrice,
    minPreordersRequired: String(offer.minPreordersRequired),
    maxPreorders: offer.maxPreorders === null ? "" : String(offer.maxPreorders),
    maxPerOrder: String(offer.maxPerOrder),
    specialServeDate: offer.specialServeDate.slice(0, 10),
    preorderExpiresAt: toDateTimeInput(new Date(offer.preorderExpiresAt)),
    hasAlternative: offer.hasAlternative,
    alternativeDishId: offer.alternativeDishId ?? "",
    allergens: [...offer.allergens],
    dietary: [...offer.dietary],
    imageUrl: offer.imageUrl,
  };
}
