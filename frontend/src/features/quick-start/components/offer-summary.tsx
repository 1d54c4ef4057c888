import { Plus } from "lucide-react";
import type { Special } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";

interface OfferSummaryProps {
  offers: Special[];
  timeZone: string;
  onAdd: () => void;
}

/** What is on offer so far, in a line each, and the way to the next one. */
export function OfferSummary({ offers, timeZone, onAdd }: OfferSummaryProps) {
  const open = offers.filter(({ status }) => status === "active");
  return (
    <div className="stack">
      {open.length === 0 ? (
        <p className="muted">
          All you need is a name, two prices and a minimum. You can add photos later.
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
      <Button className="self-start" onClick={onAdd}>
        <Plus size={18} strokeWidth={2} aria-hidden="true" />
        {open.length === 0 ? "Add Special Offer" : "Add Another Offer"}
      </Button>
    </div>
  );
}
