import { Plus } from "lucide-react";
import type { Special } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";

interface OfferSummaryProps {
  offers: Special[];
  timeZone: string;
  /** Whether the restaurant has a name; without one nothing is published. */
  isNamed: boolean;
  onAdd: () => void;
  onName: () => void;
}

/** The specials so far, on a line each, and the button for the next one. */
export function OfferSummary({ offers, timeZone, isNamed, onAdd, onName }: OfferSummaryProps) {
  const open = offers.filter(({ status }) => status === "active");
  if (!isNamed) {
    return (
      <div className="stack">
        <p className="muted">Guests see your restaurant's name beside a special. Name it first.</p>
        <Button className="self-start" onClick={onName}>
          Name your restaurant
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      {open.length === 0 ? (
        <p className="muted">
          A photo, a name, two prices, and when orders close. It takes a minute.
        </p>
      ) : (
        <ul className="stack rhythm-2" aria-label="Your special offers">
          {open.map((offer) => (
            <li key={offer.id} className="border-b border-line pb-2">
              <p className="font-semibold break-words">{offer.name}</p>
              <p className="small muted">
                {formatDecimal(offer.specialOfferPrice)} instead of{" "}
                {formatDecimal(offer.regularPrice)}, until{" "}
                {formatMoment(offer.preorderExpiresAt, timeZone)}. {offer.seatsSentence}.
              </p>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant={open.length === 0 ? "primary" : "secondary"}
        className="self-start max-sm:w-full"
        onClick={onAdd}
      >
        <Plus size="1.125rem" strokeWidth={2} aria-hidden="true" />
        {open.length === 0 ? "Add Special Offer" : "Add Another Offer"}
      </Button>
    </div>
  );
}
