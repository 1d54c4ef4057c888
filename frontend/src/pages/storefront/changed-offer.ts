/** Loaded by the public pages' script when a special of a list has other actions: see progress.ts. */
import { mergeOffer } from "@/features/storefront/changed-offer";
import { OFFER_STALE } from "@/lib/cart-store";

addEventListener(OFFER_STALE, ({ target }) => {
  // Offline for a moment: the next answer tries again.
  if (target instanceof HTMLElement) mergeOffer(target).catch(() => undefined);
});
