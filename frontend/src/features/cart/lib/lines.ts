import type { CartOffer } from "@/api/types";
import type { CartLine } from "@/lib/cart-store";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { parseCents } from "@/lib/money";

/** A line of the cart beside what can be ordered now; `offer` is missing when it is gone. */
export interface ShownLine {
  line: CartLine;
  offer: CartOffer | undefined;
  /** What a portion cost when it was put in, when that is not what it costs now. */
  formerCents: number | null;
}

/** The lines at today's prices, with the prices that have moved. */
export function shownLines(lines: CartLine[], offers: CartOffer[]): ShownLine[] {
  return lines.map((line) => {
    const offer = offers.find(({ id }) => id === line.offerId);
    const now = offer ? (parseCents(offer.price) ?? line.unitCents) : line.unitCents;
    const moved = now !== line.unitCents;
    return { line: { ...line, unitCents: now }, offer, formerCents: moved ? line.unitCents : null };
  });
}

/** A line with another number of portions; without any it leaves the cart. */
export function withQuantity(lines: CartLine[], offerId: string, quantity: number): CartLine[] {
  if (quantity <= 0) return lines.filter((line) => line.offerId !== offerId);
  return lines.map((line) => (line.offerId === offerId ? { ...line, quantity } : line));
}

/** Why a line cannot be ordered at all; nothing when it can. */
export function refusalOf({ offer }: ShownLine): string {
  if (!offer) return gettext("This special is no longer there.");
  return offer.refusal;
}

/** What is missing or too much in a line that can be ordered; nothing when it is fine. */
export function faultOf({ line, offer }: ShownLine): { slot?: string; quantity?: string } {
  if (!offer || offer.refusal) return {};
  const faults: { slot?: string; quantity?: string } = {};
  if (line.quantity > offer.perOrderLimit) {
    faults.quantity = interpolate(
      ngettext(
        "Only %s portion can be ordered at once.",
        "Only %s portions can be ordered at once.",
        offer.perOrderLimit,
      ),
      [offer.perOrderLimit],
    );
  }
  const slot = offer.slots.find(({ id }) => id === line.slotId);
  if (offer.slots.length > 0 && !slot) faults.slot = gettext("Choose when you pick it up.");
  else if (slot && slot.left !== null && slot.left < line.quantity) {
    faults.slot = gettext("This time has no room for so many portions. Choose another one.");
  }
  return faults;
}
