import { expect, test } from "vitest";
import type { CartOffer, CartOffers } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { cardTerms, chargeInBrief, consentTo, unbroken } from "./card-terms";

const SHOP = {
  restaurantName: "Luigi's",
  taxRate: "8.00",
  cardTerms: "No charge today. You'll pay only for what's cooked.",
} as CartOffers;
const OFFER = {
  cardTerms: "If not, you pay nothing.",
  chargeInBrief: "Charged Tue, Nov 24 if it's on",
  chargeOnceMet: "Charged Tue, Nov 24 if it's still on",
  portionsMissing: 3,
  alternative: {
    price: "14.50",
    cardTerms: "If not, you'll get Penne instead and pay %(total)s.",
    chargeInBrief: "Charged Tue, Nov 24 if it's on. If not: Penne instead, for %(total)s",
    chargeOnceMet: "Charged Tue, Nov 24 if it's still on. If not: Penne instead, for %(total)s",
  },
} as CartOffer;
const shown = (item: Partial<CartItem> = {}) => ({
  item: { offerId: "1", name: "Osso Buco", unitCents: 1800, quantity: 2, ...item },
  offer: OFFER,
  formerCents: null,
});

test("one special says what happens to the card for it, as the guest chose", () => {
  expect(cardTerms([shown()], SHOP)).toBe("If not, you pay nothing.");
  expect(cardTerms([shown({ alternative: true })], SHOP)).toBe(
    "If not, you'll get Penne instead and pay $31.32.",
  );
});

test("each of several says when the card is charged for it, as the guest chose", () => {
  const says = (chosen: Partial<CartItem> = {}) => chargeInBrief(shown(chosen).item, OFFER, "8.00");
  expect(says()).toBe("Charged Tue, Nov\u00a024 if it's on");
  expect(says({ alternative: true })).toBe(
    "Charged Tue, Nov\u00a024 if it's on. If not: Penne instead, for $31.32",
  );
});

test("portions that meet the minimum leave the condition that it stays met", () => {
  const three = { quantity: 3 };
  const says = (chosen: Partial<CartItem> = {}) => chargeInBrief(shown(chosen).item, OFFER, "8.00");
  expect(says(three)).toBe("Charged Tue, Nov\u00a024 if it's still on");
  expect(says({ ...three, alternative: true })).toBe(
    "Charged Tue, Nov\u00a024 if it's still on. If not: Penne instead, for $46.98",
  );
});

test("several say what is true of all of them", () => {
  expect(cardTerms([shown(), shown({ alternative: true })], SHOP)).toBe(SHOP.cardTerms);
});

test("the guest agrees to the hold of the total and to the terms of service", () => {
  expect(consentTo(3888, SHOP)).toBe(
    "By continuing, you allow Luigi's to hold $38.88 on your card. " +
      "By ordering, you agree to the terms of service.",
  );
});

test.each([
  ["by Mon, Nov 30, 6:00 PM EST if 12", "by Mon, Nov~30, 6:00~PM~EST if 12"],
  ["el lun 30 nov, 6:00 p.~m. EST si", "el lun~30~nov, 6:00~p.~m.~EST si"],
])("%s breaks within no time and no date", (text, whole) => {
  expect(unbroken(text.replaceAll("~", "\u00a0"))).toBe(whole.replaceAll("~", "\u00a0"));
});
