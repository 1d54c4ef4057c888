import type { CartOffer } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { mentions } from "@/lib/mentions";
import { parseCents } from "@/lib/money";

/** An item of the cart beside what can be ordered now; `offer` is missing when it is gone. */
export interface ShownItem {
  item: CartItem;
  offer: CartOffer | undefined;
  /** What a portion cost when it was added, if it costs something else now. */
  formerCents: number | null;
  /** Its time is the first that is free, because the guest hasn't chosen one. */
  isFirstTime?: boolean;
}

/**
 * The items at today's prices, with the prices that have changed, and with names in the page's
 * language: an item stores the one of the page that it was added on. Until the guest says otherwise, one of
 * a special served both ways is eaten there, at the first time that is free, as in the special's form.
 * They stand in the order in which they are served, as `offers` do; those that are gone come last.
 */
export function shownItems(items: CartItem[], offers: CartOffer[]): ShownItem[] {
  const position = ({ offerId }: CartItem) => {
    const found = offers.findIndex(({ id }) => id === offerId);
    return found < 0 ? offers.length : found;
  };
  return [...items]
    .sort((a, b) => position(a) - position(b))
    .map((item) => {
      const offer = offers.find(({ id }) => id === item.offerId);
      const now = offer ? (parseCents(offer.price) ?? item.unitCents) : item.unitCents;
      const moved = now !== item.unitCents;
      const serviceMode =
        offer?.serviceMode === "both" ? (item.serviceMode ?? "dine_in") : undefined;
      const free = offer?.slots.find(({ left }) => left === null || left >= item.quantity);
      const slotId = item.slotId ?? free?.id;
      const choices = offer?.slots.filter(({ left }) => left !== 0) ?? [];
      return {
        isFirstTime: !item.slotId && Boolean(slotId) && choices.length > 1,
        item: { ...item, name: offer?.name ?? item.name, unitCents: now, serviceMode, slotId },
        offer,
        formerCents: moved ? item.unitCents : null,
      };
    });
}

/** An item with another number of portions; without any it leaves the cart. */
export function withQuantity(items: CartItem[], offerId: string, quantity: number): CartItem[] {
  if (quantity <= 0) return items.filter((item) => item.offerId !== offerId);
  return items.map((item) => (item.offerId === offerId ? { ...item, quantity } : item));
}

/** Why an item cannot be ordered at all; empty when it can. */
export function refusalOf({ offer }: ShownItem): string {
  if (!offer) return gettext("This special is no longer available.");
  return offer.refusal;
}

/** What is missing or too much in an item that can be ordered; empty when it is fine. */
export function validateItem({ item, offer }: ShownItem): { slot?: string; quantity?: string } {
  if (!offer || offer.refusal) return {};
  const errors: { slot?: string; quantity?: string } = {};
  if (item.quantity > offer.perOrderLimit) {
    errors.quantity = interpolate(
      ngettext(
        "You can order at most %s portion.",
        "You can order at most %s portions.",
        offer.perOrderLimit,
      ),
      [offer.perOrderLimit],
    );
  }
  const slot = offer.slots.find(({ id }) => id === item.slotId);
  if (offer.slots.length > 0 && !slot) errors.slot = gettext("Choose a pickup time.");
  else if (slot && slot.left !== null && slot.left < item.quantity) {
    errors.slot = gettext("This time doesn't have that many portions left. Choose another.");
  }
  return errors;
}

/** When and how the guest gets it, as far as they chose: `Wed, Nov 25 · 5:30–6:00 PM · Dine in`. */
export function servedTo({ item, offer }: ShownItem): string {
  const [day = "", ...rest] = offer?.served.split(" · ") ?? [];
  const mode = rest.pop() ?? "";
  const time = offer?.slots.find(({ id }) => id === item.slotId)?.label ?? rest[0];
  const chosen = { dine_in: gettext("Dine in"), pickup: gettext("Pickup") };
  return [day, time, item.serviceMode ? chosen[item.serviceMode] : mode]
    .filter(Boolean)
    .join(" · ");
}

/** What the special contains of what a guest's note mentions, and the alternative if it's chosen. */
export function noteWarnings({ note = "", alternative }: CartItem, offer: CartOffer): string[] {
  const named = ({ noteWarnings: found }: Pick<CartOffer, "noteWarnings">) =>
    found.filter(({ words }) => mentions(note, words)).map(({ allergen }) => allergen);
  const instead = alternative ? offer.alternative : null;
  return [
    ...named(offer).map((allergen) =>
      interpolate(gettext("This dish contains %s. Ask before you order if it can be left out."), [
        allergen,
      ]),
    ),
    ...(instead ? named(instead) : []).map((allergen) =>
      interpolate(
        gettext("%(dish)s contains %(allergen)s. Ask before you order if it can be left out."),
        { dish: instead?.name, allergen },
        true,
      ),
    ),
  ];
}
