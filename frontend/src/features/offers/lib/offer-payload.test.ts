import { expect, test } from "vitest";
import type { Special } from "@/api/types";
import { changedPayload, createPayload } from "./offer-payload";
import { newOfferValues, offerValues } from "./offer-schema";

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
    preorderExpiresAt: "2026-11-22T17:00:00.000Z",
    minPreordersRequired: 1,
    maxPreorders: null,
    maxPerOrder: 20,
    friendHours: 24,
    hasAlternative: false,
  });
});

test("a new offer names an alternative only when it has one", () => {
  expect(createPayload(values, "UTC")).not.toHaveProperty("alternativeDishId");
  const other = { ...values, hasAlternative: true, alternativeDishId: ALTERNATIVE };
  expect(createPayload(other, "UTC").alternativeDishId).toBe(ALTERNATIVE);
});

const ZONE = "America/New_York";
const stored = {
  name: "Osso buco",
  description: "",
  story: "",
  translations: { es: { name: "Osobuco" } },
  serviceMode: "both",
  serveFrom: null,
  serveUntil: null,
  regularPrice: "30.00",
  specialOfferPrice: "24.00",
  minPreordersRequired: 3,
  maxPreorders: null,
  maxPerOrder: 20,
  friendHours: 24,
  specialServeDate: "2026-11-26T12:00:00-05:00",
  preorderExpiresAt: "2026-11-24T23:00:42Z",
  hasAlternative: false,
  alternativeDishId: null,
  allergens: [],
  dietary: [],
  imageUrl: null,
  moreImageUrls: [],
  version: "0123456789abcdef",
} as unknown as Special;
const shown = offerValues(stored, ZONE);

test("an edit sends what changed, with the version it was made of, and nothing else", () => {
  expect(changedPayload(shown, stored, ZONE)).toEqual({ version: "0123456789abcdef" });
  const typed = { ...shown, name: "Ossobuco", minPreordersRequired: "2" };
  expect(changedPayload(typed, stored, ZONE)).toEqual({
    name: "Ossobuco",
    minPreordersRequired: 2,
    version: "0123456789abcdef",
  });
});

test("an edit in Spanish sends all Spanish texts, and none when the last was removed", () => {
  const added = { ...shown, spanishStory: "De mi abuela." };
  expect(changedPayload(added, stored, ZONE).translations).toEqual({
    es: { name: "Osobuco", story: "De mi abuela." },
  });
  const removed = { ...shown, spanishName: "" };
  expect(changedPayload(removed, stored, ZONE).translations).toEqual({});
});

test("an amount that is only written differently is no change", () => {
  expect(changedPayload({ ...shown, price: "$30" }, stored, ZONE)).not.toHaveProperty("price");
});

test("an edit that brings an alternative names it, and one that drops it says so", () => {
  const added = { ...shown, hasAlternative: true, alternativeDishId: ALTERNATIVE };
  expect(changedPayload(added, stored, ZONE)).toMatchObject({
    hasAlternative: true,
    alternativeDishId: ALTERNATIVE,
  });
  const had = { ...stored, hasAlternative: true, alternativeDishId: ALTERNATIVE };
  const dropped = { ...offerValues(had, ZONE), hasAlternative: false };
  expect(changedPayload(dropped, had, ZONE)).toMatchObject({
    hasAlternative: false,
    alternativeDishId: null,
  });
});

test("a deadline is typed on the restaurant's clock", () => {
  expect(shown.preorderExpiresAt).toBe("2026-11-24T18:00");
  const later = { ...shown, preorderExpiresAt: "2026-11-24T20:00" };
  expect(changedPayload(later, stored, ZONE).preorderExpiresAt).toBe("2026-11-25T01:00:00.000Z");
});
