import { afterEach, expect, test } from "vitest";
import { clearOfferDraft, readOfferDraft, saveOfferDraft } from "./offer-draft";
import { newOfferValues } from "./offer-schema";

const ZONE = "America/New_York";
const now = new Date("2027-03-22T16:00:00Z");
const fresh = newOfferValues(ZONE, now);
const typed = {
  ...fresh,
  name: "Osso buco",
  price: "30",
  hasAlternative: true,
  allergens: ["milk", "gluten"],
  imageUrl: "/media/photos/a/b/960.jpg",
};

afterEach(() => localStorage.clear());

test("what was typed comes back whole, marks, picture and key included", () => {
  saveOfferDraft("luigis", typed, "k1");
  expect(readOfferDraft("luigis", fresh, now)).toEqual({ values: typed, key: "k1" });
});

test("a draft belongs to one restaurant", () => {
  saveOfferDraft("luigis", typed, "k1");
  expect(readOfferDraft("mings", fresh, now)).toBeNull();
});

test("an untouched form is not saved as a draft", () => {
  saveOfferDraft("luigis", fresh, "k1");
  expect(readOfferDraft("luigis", fresh, now)).toBeNull();
});

test("a deadline that has passed meanwhile is a fresh one", () => {
  saveOfferDraft("luigis", typed, "k1");
  const later = new Date("2027-03-25T16:00:00Z");
  const then = newOfferValues(ZONE, later);
  const saved = readOfferDraft("luigis", then, later);
  expect(saved?.values).toMatchObject({
    name: "Osso buco",
    preorderExpiresAt: then.preorderExpiresAt,
    specialServeDate: then.specialServeDate,
  });
});

test("a draft is cleared once it is published", () => {
  saveOfferDraft("luigis", typed, "k1");
  clearOfferDraft();
  expect(readOfferDraft("luigis", fresh, now)).toBeNull();
});

test.each(["", "7", "null", "[]", "{", '{"name":7,"allergens":[7],"hasAlternative":"yes"}'])(
  "a damaged draft %j spoils nothing",
  (values) => {
    localStorage.setItem("special_offer_form", JSON.stringify({ restaurant: "luigis", values }));
    const saved = readOfferDraft("luigis", fresh, now);
    expect(saved).toEqual(saved && { values: fresh, key: null });
  },
);
