import { gettext, interpolate } from "./i18n";

export type SeatsState = "open" | "on" | "sold_out" | "deciding" | "succeeded" | "failed";

/** Above this number, seats are drawn as a bar. */
const MOST_DOTS = 24;

export interface SeatsFigures {
  filled: number;
  minimum: number;
  maximum: number | null;
  /** Portions reserved in open checkouts. */
  beingOrdered?: number;
}

/** One dot; places count from 1. `extra` ones are beyond the minimum. */
interface Place {
  place: number;
  filled: boolean;
  extra: boolean;
  beingOrdered: boolean;
}

type SeatsDrawing =
  | { kind: "dots"; dots: Place[]; tickAfter: number; end: boolean }
  | { kind: "bar"; fill: number; tick: number };

/** What to draw: one dot per place up to 24, else a bar on a scale of 100. */
export function drawSeats(figures: SeatsFigures): SeatsDrawing {
  const { filled, minimum, maximum, beingOrdered = 0 } = figures;
  const reserved = filled + beingOrdered;
  const places = maximum ?? Math.max(minimum, reserved);
  if (places <= MOST_DOTS) {
    const dots = Array.from({ length: places }, (_, index) => ({
      place: index + 1,
      filled: index < filled,
      extra: index >= minimum,
      beingOrdered: index >= filled && index < reserved,
    }));
    return { kind: "dots", dots, tickAfter: minimum, end: maximum !== null };
  }
  const share = (count: number) => Math.min(100, Math.round((1000 * count) / places) / 10);
  return { kind: "bar", fill: share(filled), tick: share(minimum) };
}

/** The drawing in words, for screen readers. */
export function describeSeats({ filled, minimum, maximum, beingOrdered }: SeatsFigures): string {
  const text =
    maximum === null
      ? gettext("%(filled)s of %(minimum)s pre-orders needed")
      : gettext("%(filled)s of %(minimum)s pre-orders needed, %(maximum)s at most");
  const words = interpolate(text, { filled, minimum, maximum }, true);
  if (!beingOrdered) return words;
  return words + interpolate(gettext(", %(number)s being ordered"), { number: beingOrdered }, true);
}
