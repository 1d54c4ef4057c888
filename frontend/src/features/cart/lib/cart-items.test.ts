import { beforeEach, expect, test } from "vitest";
import type { CartOffer } from "@/api/types";
import { type CartItem, cartFigures, readCart, saveCart, withItem } from "@/lib/cart-store";
import {
  noteWarnings,
  refusalOf,
  servedTo,
  shownItems,
  validateItem,
  withQuantity,
} from "./cart-items";
import { rememberedGuest, rememberGuest, validateGuest } from "./guest";
import { cartSums } from "./totals";

const offer: CartOffer = {
  id: "osso",
  name: "Osso buco",
  path: "/specials/osso",
  price: "18.00",
  imageUrl: null,
  contains: "",
  diets: [],
  noteWarnings: [],
  served: "Thu, Nov 26",
  seatsSentence: "2 more and it's on",
  serviceMode: "dine_in",
  refusal: "",
  waitlistPath: "",
  perOrderLimit: 4,
  portionsMissing: 0,
  minPreordersRequired: 12,
  chargeInBrief: "Charged Tue, Nov 24, 6:00 PM EST if it's on",
  chargeOnceMet: "Charged Tue, Nov 24, 6:00 PM EST if it's still on",
  cardTerms:
    "No charge today. We'll charge your card on Tue, Nov 24, 6:00 PM EST if 12 portions are ordered. If not, you pay nothing.",
  slots: [],
  alternative: null,
};
const item: CartItem = { offerId: "osso", name: "Osso buco", unitCents: 1800, quantity: 2 };
const other: CartItem = { offerId: "penne", name: "Penne", unitCents: 1250, quantity: 1 };

beforeEach(() => {
  localStorage.clear();
  localStorage.clear();
});

test("tax is rounded for each item, since each is an order of its own", () => {
  expect(cartSums([item, other], "8.20")).toEqual({ subtotal: 4850, tax: 295 + 103, total: 5248 });
  expect(cartSums([], "8.00")).toEqual({ subtotal: 0, tax: 0, total: 0 });
});

test("a special stands in the cart once, with its newest wishes and no more than it allows", () => {
  const added = withItem([item, other], { ...item, quantity: 3, note: "No nuts" }, 4);
  expect(added).toEqual([{ ...item, quantity: 4, note: "No nuts" }, other]);
  expect(withItem([other], item, 4)).toEqual([other, item]);
});

test("items stand in the order in which they are served, and those that are gone come last", () => {
  const penne = { ...offer, id: "penne" };
  const gone = { ...item, offerId: "gone" };
  const ids = shownItems([gone, item, other], [penne, offer]).map((shown) => shown.item.offerId);
  expect(ids).toEqual(["penne", "osso", "gone"]);
});

test("an item has its name in the page's language, and the stored one once it is gone", () => {
  const names = (offers: CartOffer[]) => shownItems([item], offers).map((shown) => shown.item.name);
  expect(names([{ ...offer, name: "Ossobuco a la milanesa" }])).toEqual(["Ossobuco a la milanesa"]);
  expect(names([])).toEqual(["Osso buco"]);
});

test("an item with no portions is removed from the cart", () => {
  expect(withQuantity([item, other], "osso", 3)).toEqual([{ ...item, quantity: 3 }, other]);
  expect(withQuantity([item, other], "osso", 0)).toEqual([other]);
  expect(withQuantity([item, other], "penne", -1)).toEqual([item]);
});

test("the cart of each restaurant survives a reload, and damage leaves an empty one", () => {
  saveCart("luigis", [item]);
  expect(readCart("luigis")).toEqual([item]);
  expect(readCart("mings")).toEqual([]);
  localStorage.setItem(
    "cart:luigis",
    JSON.stringify({ changedAt: Date.now(), items: [{ offerId: 1 }, null, 5] }),
  );
  expect(readCart("luigis")).toEqual([]);
  localStorage.setItem("cart:luigis", "{");
  expect(readCart("luigis")).toEqual([]);
});

test("a cart is stored for a day after its last change, for every tab", () => {
  saveCart("luigis", [item]);
  expect(sessionStorage.length).toBe(0);
  const stored = JSON.parse(localStorage.getItem("cart:luigis") ?? "");
  const changedAt = Date.now() - 24 * 60 * 60 * 1000;
  localStorage.setItem("cart:luigis", JSON.stringify({ ...stored, changedAt }));
  expect(readCart("luigis")).toEqual([]);
  saveCart("luigis", []);
  expect(localStorage.length).toBe(0);
});

test("the figures have tax on each item, and leave out what has closed", () => {
  expect(cartFigures([item, other], "8.0000")).toEqual({ portions: 3, cents: 5238 });
  const closed = { ...other, closesAt: "2020-01-01T00:00:00Z" };
  expect(cartFigures([item, closed], "8.0000").portions).toBe(item.quantity);
});

test("a price that has moved is taken over and told", () => {
  const [shown] = shownItems([item], [{ ...offer, price: "19.50" }]);
  expect(shown).toEqual({
    item: { ...item, unitCents: 1950 },
    offer: { ...offer, price: "19.50" },
    formerCents: 1800,
    isFirstTime: false,
  });
  expect(shownItems([item], [offer])[0]?.formerCents).toBeNull();
});

test("an item whose special is gone or closed says so", () => {
  expect(refusalOf({ item, offer: undefined, formerCents: null })).toBe(
    "This special is no longer available.",
  );
  const soldOut = { ...offer, refusal: "Sold out" };
  expect(refusalOf({ item, offer: soldOut, formerCents: null })).toBe("Sold out");
  expect(refusalOf({ item, offer, formerCents: null })).toBe("");
});

test("until the guest chooses, an item is for the first time with enough portions left", () => {
  const slots = [1, 4, null].map((left, index) => {
    return { id: index + 1, startsAt: "", endsAt: "", label: "", left };
  });
  const shownWith = (changed: Partial<CartItem>, of: Partial<CartOffer> = { slots }) =>
    shownItems([{ ...item, ...changed }], [{ ...offer, ...of }])[0];
  const slotOf = (...args: Parameters<typeof shownWith>) => shownWith(...args)?.item.slotId;
  expect(shownWith({})?.isFirstTime).toBe(true);
  expect(shownWith({ slotId: 3 })?.isFirstTime).toBe(false);
  expect(shownWith({}, { slots: slots.slice(1, 2) })?.isFirstTime).toBe(false);
  const full = slots.slice(0, 2).map((slot) => ({ ...slot, left: slot.id === 1 ? 0 : 4 }));
  expect(shownWith({}, { slots: full })?.isFirstTime).toBe(false);
  expect(slotOf({})).toBe(2);
  expect(slotOf({ quantity: 5 })).toBe(3);
  expect(slotOf({ slotId: 3 })).toBe(3);
  expect(slotOf({ quantity: 5 }, { slots: slots.slice(0, 2) })).toBeUndefined();
  expect(slotOf({}, {})).toBeUndefined();
});

test("portions beyond the limit and a missing or full time are errors", () => {
  const slots = [{ id: 7, startsAt: "", endsAt: "", label: "5:00–5:30 PM", left: 1 }];
  const at = (changed: Partial<CartItem>, of: Partial<CartOffer> = {}) =>
    validateItem({ item: { ...item, ...changed }, offer: { ...offer, ...of }, formerCents: null });
  expect(at({})).toEqual({});
  expect(at({ quantity: 5 })).toEqual({ quantity: "You can order at most 4 portions." });
  expect(at({}, { slots })).toEqual({ slot: "Choose a pickup time." });
  expect(at({ slotId: 7 }, { slots })).toEqual({
    slot: "This time doesn't have that many portions left. Choose another.",
  });
  expect(at({ slotId: 7, quantity: 1 }, { slots })).toEqual({});
});

test("who orders is asked for in the server's words, and remembered only when asked to", () => {
  expect(validateGuest({ name: " ", email: "dana@", phone: "" }, true)).toEqual({
    name: "Name is required",
    email: "Valid email is required",
    phone: "Phone is required",
  });
  const dana = { name: "Dana", email: "dana@guests.test", phone: "212 555 0199" };
  expect(validateGuest(dana, true)).toEqual({});
  expect(validateGuest({ ...dana, phone: "" }, false)).toEqual({});
  expect(rememberedGuest()).toBeNull();
  rememberGuest(dana);
  expect(rememberedGuest()).toEqual(dana);
  rememberGuest(null);
  expect(rememberedGuest()).toBeNull();
});

test("a special served both ways is eaten there until the guest says otherwise", () => {
  const both = { ...offer, serviceMode: "both" as const };
  const modes = (items: CartItem[], of: CartOffer) =>
    shownItems(items, [of]).map((shown) => shown.item.serviceMode);
  expect(modes([item], both)).toEqual(["dine_in"]);
  expect(modes([{ ...item, serviceMode: "pickup" }], both)).toEqual(["pickup"]);
});

test("a choice is forgotten once the special is served in one way", () => {
  const [shown] = shownItems([{ ...item, serviceMode: "pickup" }], [offer]);
  expect(shown?.item.serviceMode).toBeUndefined();
});

const WITH_TIMES = {
  served: "Mon, Nov 30 · 5:00–6:30 PM · Dine in or pickup",
  slots: [{ id: 7, label: "5:30–6:00 PM", left: 4 }],
} as unknown as CartOffer;

test.each([
  [{}, "Mon, Nov 30 · 5:00–6:30 PM · Dine in or pickup"],
  [{ serviceMode: "dine_in" }, "Mon, Nov 30 · 5:00–6:30 PM · Dine in"],
  [{ slotId: 7, serviceMode: "pickup" }, "Mon, Nov 30 · 5:30–6:00 PM · Pickup"],
  [{ slotId: 8 }, "Mon, Nov 30 · 5:00–6:30 PM · Dine in or pickup"],
])("with %o, it's served to the guest as they chose", (chosen, served) => {
  const shown = { item: { ...item, ...chosen } as CartItem, offer: WITH_TIMES, formerCents: null };
  expect(servedTo(shown)).toBe(served);
});

test("a special without hours gets those of the chosen time", () => {
  const daily = { ...WITH_TIMES, served: "Mon, Nov 30 · Pickup" };
  const shown = (each: CartItem) => servedTo({ item: each, offer: daily, formerCents: null });
  expect(shown({ ...item, slotId: 7 })).toBe("Mon, Nov 30 · 5:30–6:00 PM · Pickup");
  expect(shown(item)).toBe("Mon, Nov 30 · Pickup");
});

test("a note about what the alternative contains is answered where it's chosen", () => {
  const warned = {
    noteWarnings: [{ allergen: "milk", words: ["milk"] }],
    alternative: { name: "Tagliatelle", noteWarnings: [{ allergen: "eggs", words: ["egg"] }] },
  } as unknown as CartOffer;
  const noted = { ...item, note: "No milk, no egg" };
  const milk = "This dish contains milk. Ask before you order if it can be left out.";
  const eggs = "Tagliatelle contains eggs. Ask before you order if it can be left out.";
  expect(noteWarnings(noted, warned)).toEqual([milk]);
  expect(noteWarnings({ ...noted, alternative: true }, warned)).toEqual([milk, eggs]);
  expect(noteWarnings({ ...noted, note: "Extra salt", alternative: true }, warned)).toEqual([]);
});
