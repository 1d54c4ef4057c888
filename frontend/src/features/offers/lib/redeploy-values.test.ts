import { expect, test } from "vitest";
import type { HistoryEntry } from "@/api/types";
import { createOfferSchema } from "./offer-schema";
import { redeployValues } from "./redeploy-values";

const RISOTTO = "3b2c6b1e-5f8e-4a35-9c55-0d9f6d1f0001";
const now = new Date("2027-03-22T16:00:00Z");
const entry: HistoryEntry = {
  id: "3b2c6b1e-5f8e-4a35-9c55-0d9f6d1f0002",
  name: "Osso buco",
  description: "Slow-braised.",
  regularPrice: "30.00",
  currency: "usd",
  specialOfferPrice: "24.00",
  createdAt: "2026-01-01T12:00:00Z",
  specialServeDate: "2026-01-04T12:00:00-05:00",
  preorderExpiresAt: "2026-01-03T12:00:00Z",
  nextServeDate: "2027-03-28T12:00:00-04:00",
  nextDeadline: "2027-03-27T11:00:00Z",
  validPreorders: 4,
  totalPreorders: 6,
  minPreordersRequired: 3,
  maxPreorders: 12,
  maxPerOrder: 4,
  friendHours: 24,
  wasSuccessful: true,
  status: "expired",
  hasAlternative: true,
  alternativeDishId: RISOTTO,
  alternativeDishName: "Risotto",
  allergens: [],
  dietary: [],
  serviceMode: "dine_in",
  serveFrom: "19:00",
  serveUntil: "21:00",
  story: "Mine.",
  translations: { es: { name: "Asado" } },
  imageUrl: "/media/photos/a/b/960.jpg",
  imageSrcset: null,
  moreImageUrls: ["/media/photos/a/c/960.jpg"],
};
const filled = (changes: Partial<HistoryEntry> = {}, isOnMenu = true) =>
  redeployValues(
    { ...entry, ...changes },
    { timeZone: "America/New_York", isOnMenu: () => isOnMenu, now },
  );

test("everything that was published is in the form again, with its next weekday and old hours", () => {
  const values = filled();
  expect(values).toMatchObject({
    name: "Osso buco",
    description: "Slow-braised.",
    price: "30.00",
    specialOfferPrice: "24.00",
    minPreordersRequired: "3",
    maxPreorders: "12",
    maxPerOrder: "4",
    friendHours: "24",
    serviceMode: "dine_in",
    serveFrom: "19:00",
    serveUntil: "21:00",
    story: "Mine.",
    moreImageUrls: ["/media/photos/a/c/960.jpg"],
    spanishName: "Asado",
    spanishDescription: "",
    spanishStory: "",
    specialServeDate: "2027-03-28",
    hasAlternative: true,
    alternativeDishId: RISOTTO,
    imageUrl: "/media/photos/a/b/960.jpg",
  });
  expect(values.preorderExpiresAt).toBe("2027-03-27T07:00");
});

test("a past special's values can be published unchanged", () => {
  const schema = createOfferSchema("America/New_York", () => now);
  expect(schema.safeParse(filled()).success).toBe(true);
});

test("an alternative that left the menu has to be chosen again", () => {
  expect(filled({}, false)).toMatchObject({ hasAlternative: true, alternativeDishId: "" });
});

test("without a maximum and an alternative there is none in the form", () => {
  const values = filled({ maxPreorders: null, hasAlternative: false, alternativeDishId: null });
  expect(values).toMatchObject({ maxPreorders: "", hasAlternative: false, alternativeDishId: "" });
});
