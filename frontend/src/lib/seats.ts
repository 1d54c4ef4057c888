import { gettext, interpolate, ngettext } from "./i18n";

export type SeatsState = "open" | "on" | "sold_out" | "deciding" | "succeeded" | "failed";

/** Of more, a bar is drawn. */
const MOST_DOTS = 24;

export interface SeatsFigures {
  filled: number;
  minimum: number;
  maximum: number | null;
  /** Portions reserved in open checkouts. */
  beingOrdered?: number;
  /** Of the filled ones, the guest's. */
  own?: number;
}

/** One dot; places count from 1. */
interface Place {
  place: number;
  filled: boolean;
  beingOrdered: boolean;
  own: boolean;
}

/** Up to 24 `dots`, else `fill`, in percent of the minimum. */
interface SeatsDrawing {
  dots: Place[] | null;
  fill: number;
}

/** What to draw; the server does it by the same rules (`apps/offers/seats.py`). */
export function drawSeats({
  filled,
  minimum,
  beingOrdered = 0,
  own = 0,
}: SeatsFigures): SeatsDrawing {
  const reserved = filled + beingOrdered;
  const length = Math.max(minimum, filled);
  const dots = Array.from({ length: Math.min(length, MOST_DOTS) }, (_, index) => ({
    place: index + 1,
    filled: index < filled,
    beingOrdered: index >= filled && index < reserved,
    own: index < Math.min(own, filled),
  }));
  return {
    dots: length <= MOST_DOTS ? dots : null,
    fill: Math.min(100, Math.round((1000 * filled) / minimum) / 10),
  };
}

/** `7 of 10 ordered`, then `11 ordered`, beside the drawing. */
export function orderedWords(ordered: number, minimum: number): string {
  const number = ordered.toLocaleString("en-US");
  if (ordered < minimum) {
    const facts = { number, minimum: minimum.toLocaleString("en-US") };
    return interpolate(gettext("%(number)s of %(minimum)s ordered"), facts, true);
  }
  return interpolate(
    ngettext("%(number)s ordered", "%(number)s ordered", ordered),
    { number },
    true,
  );
}

/** Beside how many are ordered, how many of them are the guest's. */
export function ownWords(own: number): string {
  return interpolate(ngettext("%s yours", "%s yours", own), [own]);
}

/** The drawing in words, for screen readers. */
export function describeSeats({ filled, minimum, maximum, beingOrdered }: SeatsFigures): string {
  const text =
    maximum === null
      ? gettext("%(filled)s ordered, %(minimum)s needed")
      : gettext("%(filled)s ordered, %(minimum)s needed, %(maximum)s at most");
  const words = interpolate(text, { filled, minimum, maximum }, true);
  if (!beingOrdered) return words;
  return words + interpolate(gettext(", %(number)s reserved"), { number: beingOrdered }, true);
}
