/** Loaded by the public pages' script when a guest turns to a special's order form. */
import { offerExpress } from "@/features/cart/components/express-checkout";
import { type ExpressOffer, OFFER_EXPRESS } from "@/lib/cart-store";

addEventListener(OFFER_EXPRESS, (event) => {
  void offerExpress((event as CustomEvent<ExpressOffer>).detail);
});
