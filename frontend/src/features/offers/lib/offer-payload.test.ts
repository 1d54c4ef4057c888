import { expect, test } from "vitest";
import { toDateTimeInput } from "@/lib/times";
import { createPayload, updatePayload } from "./offer-payload";
import { newOfferValues } from "./offer-schema";

const ALTERNATIVE = "3f1c6f2e-6c55-4d39-9a52-0d7a4f1b2c11";
const values = {
  ...newOfferValues("UTC", new Date("2026-11-21T15:00:00Z")),
  name: " Osso buco ",
  price: "$1,024",
  specialOfferPrice: "18.5",
  specialServeDate: "2026-11-26",
};

test("money travels as decimals, the serve date as noon at the restaurant", () => {
  expect(createPayload(values, "America/New_York")).toMatchObject({
    name: "Osso buco",
    price: "1024.00",
    specialOfferPrice: "18.50",
    isSpecialOffer: true,
    specialServeDate: "2026-11-26T12:00:00-05:00",
    preorderExpiresAt: "2026-11-22T15:00:00.000Z",
    minPreordersRequired: 1,
    maxPreorders: null,
    maxPerOrder: 20,
    hasAlternative: false,
  });
});

test("a new offer names an alternative only when it has one", () => {
  expect(createPayload(values, "UTC")).not.toHaveProperty("alternativeDishId");
  const other = { ...values, hasAlternative: true, alternativeDishId: ALTERNATIVE };
  expect(createPayload(other, "UTC").alternativeDishId).toBe(ALTERNATIVE);
});

test("an edit always says what the alternative is, so that it is never lost by silence", () => {
  const offer = { preorderExpiresAt: "2026-11-22T15:00:00Z" };
  expect(updatePayload(values, offer, "UTC").alternativeDishId).toBeNull();
  const other = { ...values, hasAlternative: true, alternativeDishId: ALTERNATIVE };
  expect(updatePayload(other, offer, "UTC")).toMatchObject({
    hasAlternative: true,
    alternativeDishId: ALTERNATIVE,
  });
});

test("an untouched deadline keeps its seconds", () => {
  const offer = { preorderExpiresAt: "2026-11-24T23:00:42Z" };
  const shown = {
    ...values,
    preorderExpiresAt: toDateTimeInput(new Date(offer.preorderExpiresAt)),
  };
  expect(updatePayload(shown, offer, "UTC").preorderExpiresAt).toBe("2026-11-24T23:00:42Z");
});
