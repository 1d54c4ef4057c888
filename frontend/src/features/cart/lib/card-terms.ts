import type { CartOffer, CartOffers } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { gettext, interpolate } from "@/lib/i18n";
import { formatCents, parseCents } from "@/lib/money";
import { orderSum } from "@/lib/order-sum";
import type { ShownItem } from "./cart-items";

/** `6:00 PM EST`, `6:00 p. m. EST`, `Nov 24`, and `mar 24 nov`, as the server finds them. */
const WHOLE =
  /\d:\d\d (?:[AP]M|[ap]\.\sm\.)(?: [A-Z]{2,5}\b)?|\b[A-Z][a-z]{2} \d{1,2}\b|\b(?:lun|mar|mié|jue|vie|sáb|dom) \d{1,2} [a-z]{3,4}\b/g;

/** The same with no line that breaks within a time or a date. */
export const unbroken = (text: string): string =>
  text.replace(WHOLE, (whole) => whole.replaceAll(" ", "\u00a0"));

/** What happens to the card for these items, in the server's words. */
export function cardTerms(possible: ShownItem[], shop: CartOffers): string {
  const [only] = possible;
  if (possible.length > 1 || !only?.offer) return unbroken(shop.cardTerms);
  const { item, offer } = only;
  if (!item.alternative || !offer.alternative) return unbroken(offer.cardTerms);
  return unbroken(withTotal(offer.alternative.cardTerms, item, offer.alternative, shop.taxRate));
}

/** When the card is charged for one of several, in the server's words. */
export function chargeInBrief(item: CartItem, offer: CartOffer, taxRate: string): string {
  const key = item.quantity < offer.portionsMissing ? "chargeInBrief" : "chargeOnceMet";
  if (!item.alternative || !offer.alternative) return unbroken(offer[key]);
  return unbroken(withTotal(offer.alternative[key], item, offer.alternative, taxRate));
}

/** What the server says of an alternative, with the price of all its portions. */
function withTotal(
  words: string,
  { quantity }: CartItem,
  { price }: { price: string },
  taxRate: string,
): string {
  const { total } = orderSum(parseCents(price) ?? 0, taxRate, quantity);
  return interpolate(words, { total: formatCents(total) }, true);
}

/** What the guest agrees to by ordering, in the words of the checkout's mandate. */
export function consentTo(total: number, { restaurantName }: CartOffers): string {
  const held = interpolate(
    gettext("By continuing, you allow %(restaurant)s to hold %(total)s on your card."),
    { restaurant: restaurantName, total: formatCents(total) },
    true,
  );
  return `${held} ${gettext("By ordering, you agree to the terms of service.")}`;
}
