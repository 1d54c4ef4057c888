import { describe, expect, test } from "vitest";
import { zonedInput } from "@/lib/times";
import {
  createOfferSchema,
  editOfferSchema,
  newOfferValues,
  type OfferFormValues,
} from "./offer-schema";

/** 10 AM in New York. */
const NOW = new Date("2026-11-21T15:00:00Z");
const ZONE = "America/New_York";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const good: OfferFormValues = {
  ...newOfferValues(ZONE, NOW),
  name: "Osso buco",
  price: "24",
  specialOfferPrice: "18.00",
};

function errors(schema: ReturnType<typeof createOfferSchema>, changes: Partial<OfferFormValues>) {
  const result = schema.safeParse({ ...good, ...changes });
  return (result.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]);
}

const create = (changes: Partial<OfferFormValues>) =>
  errors(
    createOfferSchema(ZONE, () => NOW),
    changes,
  );
const edit = (changes: Partial<OfferFormValues>) => errors(editOfferSchema(), changes);
const at = (milliseconds: number) =>
  zonedInput(new Date(NOW.getTime() + milliseconds).toISOString(), ZONE);

test("the defaults: served tomorrow, closed at its noon, at least one portion", () => {
  const values = newOfferValues(ZONE, NOW);
  expect(values.specialServeDate).toBe("2026-11-22");
  expect(values.preorderExpiresAt).toBe("2026-11-22T12:00");
  expect(values.minPreordersRequired).toBe("1");
  expect(create({})).toEqual([]);
});

test("the defaults pass wherever the owner is and wherever the restaurant", () => {
  for (const zone of ["Pacific/Honolulu", "America/New_York", "Asia/Tokyo"]) {
    for (let hour = 0; hour < 24; hour += 1) {
      const now = new Date(NOW.getTime() + hour * 60 * MINUTE);
      const values = { ...good, ...newOfferValues(zone, now), name: "a", price: "2" };
      const result = createOfferSchema(zone, () => now).safeParse({
        ...values,
        specialOfferPrice: "1",
      });
      expect(result.success).toBe(true);
    }
  }
});

describe("create form", () => {
  test.each<[Partial<OfferFormValues>, string, string]>([
    [{ name: "  " }, "name", "Name is required"],
    [{ price: "" }, "price", "Price must be a positive number"],
    [{ price: "0" }, "price", "Price must be a positive number"],
    [{ price: "10.999" }, "price", "Price can have at most two decimals"],
    [{ price: "10000" }, "price", "Price must be less than 10,000"],
    [
      { specialOfferPrice: "abc" },
      "specialOfferPrice",
      "Special offer price must be a positive number",
    ],
    [
      { specialOfferPrice: "24.00" },
      "specialOfferPrice",
      "Special offer price must be less than regular price",
    ],
    [{ specialServeDate: "" }, "specialServeDate", "Invalid date format"],
    [
      { minPreordersRequired: "0" },
      "minPreordersRequired",
      "Minimum pre-orders must be at least 1",
    ],
    [
      { minPreordersRequired: "2.5" },
      "minPreordersRequired",
      "Minimum pre-orders must be at least 1",
    ],
    [
      { minPreordersRequired: "100000000" },
      "minPreordersRequired",
      "Choose at most 10,000 portions",
    ],
    [{ preorderExpiresAt: "" }, "preorderExpiresAt", "Invalid datetime format"],
    [
      { preorderExpiresAt: at(7 * DAY + 6 * MINUTE), specialServeDate: "2026-12-24" },
      "preorderExpiresAt",
      "Pre-order deadline cannot be more than 7 days from today. Credit card authorizations expire after 7 days.",
    ],
    [
      { preorderExpiresAt: at(-MINUTE) },
      "preorderExpiresAt",
      "Pre-order deadline must be in the future",
    ],
    [
      { preorderExpiresAt: at(3 * DAY) },
      "specialServeDate",
      "Serve date must not be before the pre-order deadline",
    ],
    [
      { hasAlternative: true, alternativeDishId: "" },
      "alternativeDishId",
      "Invalid alternative dish ID",
    ],
    [
      { minPreordersRequired: "5", maxPreorders: "4" },
      "maxPreorders",
      "Maximum pre-orders must be at least the minimum",
    ],
    [{ maxPerOrder: "0" }, "maxPerOrder", "Portions per order must be at least 1"],
  ])("%j", (changes, field, message) => {
    expect(create(changes)).toEqual([[field, message]]);
  });

  test("exactly seven days pass, clocks being what they are", () => {
    expect(create({ preorderExpiresAt: at(7 * DAY), specialServeDate: "2026-12-24" })).toEqual([]);
  });

  test("an alternative that is not wanted is not looked at", () => {
    expect(create({ hasAlternative: false, alternativeDishId: "nonsense" })).toEqual([]);
  });

  test("all errors are shown at once", () => {
    expect(create({ name: "", price: "", specialOfferPrice: "" })).toHaveLength(3);
  });
});

describe("edit form", () => {
  test.each<[Partial<OfferFormValues>, string, string]>([
    [{ name: "" }, "name", "Name is required"],
    [{ price: "" }, "price", "Price is required"],
    [{ specialOfferPrice: "" }, "specialOfferPrice", "Special offer price is required"],
    [{ specialServeDate: "" }, "specialServeDate", "Serve date is required"],
    [{ preorderExpiresAt: "" }, "preorderExpiresAt", "Expiration date is required"],
    [{ minPreordersRequired: "0" }, "minPreordersRequired", "Minimum preorders must be at least 1"],
  ])("%j", (changes, field, message) => {
    expect(edit(changes)).toEqual([[field, message]]);
  });

  test("order of prices and seven days are left to the server", () => {
    expect(edit({ specialOfferPrice: "30", preorderExpiresAt: at(30 * DAY) })).toEqual([]);
  });
});
