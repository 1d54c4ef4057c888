import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askAhead, cartOffersUrl } from "@/lib/cart-offers";
import { getCartOffers } from "./get-cart-offers";

const CART = [{ offerId: "osso" }, { offerId: "penne" }];
const URL = "/api/cart/offers?ids=osso,penne&rid=luigis";
const answer = vi.fn(async () => Response.json({ offers: [], taxRate: "8" }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answer);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  answer.mockReset();
  answer.mockImplementation(async () => Response.json({ offers: [], taxRate: "8" }));
});

test("what was asked ahead isn't asked again when the cart opens, and only then", async () => {
  const early = await askAhead(cartOffersUrl("luigis", CART));
  expect(await getCartOffers("luigis", CART)).toEqual(await early.json());
  expect(answer).toHaveBeenCalledTimes(1);
  await getCartOffers("luigis", CART);
  expect(answer.mock.calls.map(([address]: unknown[]) => address)).toEqual([URL, URL]);
});

test.each([
  ["of another cart", [{ offerId: "osso" }], 0],
  ["long ago", CART, 10_000],
])("what was asked ahead %s doesn't count", async (_what, asked, later) => {
  await askAhead(cartOffersUrl("luigis", asked));
  vi.advanceTimersByTime(later);
  await getCartOffers("luigis", CART);
  expect(answer).toHaveBeenCalledTimes(2);
});

test("a failure ahead is forgotten", async () => {
  answer.mockRejectedValueOnce(new TypeError("offline"));
  await askAhead(cartOffersUrl("luigis", CART)).catch(() => undefined);
  expect(await getCartOffers("luigis", CART)).toEqual({ offers: [], taxRate: "8" });
  answer.mockResolvedValueOnce(new Response("", { status: 503 }));
  await askAhead(cartOffersUrl("luigis", CART));
  expect(await getCartOffers("luigis", CART)).toEqual({ offers: [], taxRate: "8" });
});
