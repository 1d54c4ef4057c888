import { beforeEach, expect, test } from "vitest";
import type { CartOffer } from "@/api/types";
import { type CartLine, cartFigures, keepCart, readCart, withLine } from "@/lib/cart-store";
import { faultsOf, rememberCustomer, rememberedCustomer } from "./customer";
import { faultOf, refusalOf, shownLines, withQuantity } from "./lines";
import { cartSums } from "./sums";

const offer: CartOffer = {
  id: "osso",
  name: "Osso buco",
  path: "/specials/osso",
  price: "18.00",
  served: "Thu, Nov 26",
  refusal: "",
  perOrderLimit: 4,
  minPreordersRequired: 12,
  condition: "only if 12 portions are booked by Tue, Nov 24, 6:00 PM EST",
  slots: [],
  alternative: null,
};
const line: CartLine = { offerId: "osso", name: "Osso buco", unitCents: 1800, quantity: 2 };
const other: CartLine = { offerId: "penne", name: "Penne", unitCents: 1250, quantity: 1 };

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test("tax is rounded for each line, since each is an order of its own", () => {
  expect(cartSums([line, other], "8.20")).toEqual({ subtotal: 4850, tax: 295 + 103, total: 5248 });
  expect(cartSums([], "8.00")).toEqual({ subtotal: 0, tax: 0, total: 0 });
});

test("a special stands in the cart once, with its newest wishes and no more than it allows", () => {
  const added = withLine([line, other], { ...line, quantity: 3, note: "No nuts" }, 4);
  expect(added).toEqual([{ ...line, quantity: 4, note: "No nuts" }, other]);
  expect(withLine([other], line, 4)).toEqual([other, line]);
});

test("a line without portions leaves the cart", () => {
  expect(withQuantity([line, other], "osso", 3)).toEqual([{ ...line, quantity: 3 }, other]);
  expect(withQuantity([line, other], "osso", 0)).toEqual([other]);
  expect(withQuantity([line, other], "penne", -1)).toEqual([line]);
});

test("the cart of each restaurant survives a reload, and damage leaves an empty one", () => {
  keepCart("luigis", [line]);
  expect(readCart("luigis")).toEqual([line]);
  expect(readCart("mings")).toEqual([]);
  sessionStorage.setItem("cart:luigis", '[{"offerId":1},null,5]');
  expect(readCart("luigis")).toEqual([]);
  sessionStorage.setItem("cart:luigis", "{");
  expect(readCart("luigis")).toEqual([]);
  expect(cartFigures([line, other])).toEqual({ portions: 3, cents: 4850 });
});

test("a price that has moved is taken over and told", () => {
  const [shown] = shownLines([line], [{ ...offer, price: "19.50" }]);
  expect(shown).toEqual({
    line: { ...line, unitCents: 1950 },
    offer: { ...offer, price: "19.50" },
    formerCents: 1800,
  });
  expect(shownLines([line], [offer])[0]?.formerCents).toBeNull();
});

test("what is gone or closed says so", () => {
  expect(refusalOf({ line, offer: undefined, formerCents: null })).toBe(
    "This special is no longer available.",
  );
  const soldOut = { ...offer, refusal: "Sold out" };
  expect(refusalOf({ line, offer: soldOut, formerCents: null })).toBe("Sold out");
  expect(refusalOf({ line, offer, formerCents: null })).toBe("");
});

test("portions beyond the limit and a missing or full time are faults", () => {
  const slots = [{ id: 7, startsAt: "", endsAt: "", label: "5:00–5:30 PM", left: 1 }];
  const at = (changed: Partial<CartLine>, of: Partial<CartOffer> = {}) =>
    faultOf({ line: { ...line, ...changed }, offer: { ...offer, ...of }, formerCents: null });
  expect(at({})).toEqual({});
  expect(at({ quantity: 5 })).toEqual({ quantity: "You can order at most 4 portions." });
  expect(at({}, { slots })).toEqual({ slot: "Choose a pickup time." });
  expect(at({ slotId: 7 }, { slots })).toEqual({
    slot: "This time doesn't have that many portions left. Choose another.",
  });
  expect(at({ slotId: 7, quantity: 1 }, { slots })).toEqual({});
});

test("who orders is asked for in the server's words, and remembered only when asked to", () => {
  expect(faultsOf({ name: " ", email: "dana@", phone: "" })).toEqual({
    name: "Name is required",
    email: "Valid email is required",
    phone: "Phone is required",
  });
  const dana = { name: "Dana", email: "dana@diners.test", phone: "212 555 0199" };
  expect(faultsOf(dana)).toEqual({});
  expect(rememberedCustomer()).toBeNull();
  rememberCustomer(dana);
  expect(rememberedCustomer()).toEqual(dana);
  rememberCustomer(null);
  expect(rememberedCustomer()).toBeNull();
});
