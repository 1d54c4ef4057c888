import { Minus, Plus } from "lucide-react";
import { useState } from "react";
import type { Special } from "@/api/types";
import { formatCents, formatDecimal, parseCents, savings } from "@/lib/money";
import { formatDay, formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import { orderSums } from "../lib/order-sums";

interface TestOrderDialogProps {
  /** The one whose button was pressed stands first. */
  offers: Special[];
  taxRate: string;
  onClose: () => void;
}

/** The offers as a diner orders them: quantities, tax, what happens to the card. Nothing is sent (R65). */
export function TestOrderDialog({ offers, taxRate, onClose }: TestOrderDialogProps) {
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [asked, setAsked] = useState<string | null>(null);

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Test order"
      description="What a diner sees and pays. This is a preview: nothing is ordered and no card is asked for."
      footer={
        <Button variant="primary" onClick={onClose}>
          Close preview
        </Button>
      }
    >
      <ul className="grid items-start gap-5 md:grid-cols-2" aria-label="Offers in the preview">
        {offers.map((offer) => (
          <li key={offer.id}>
            <PreviewCard
              offer={offer}
              taxRate={taxRate}
              portions={chosen[offer.id] ?? 1}
              onPortions={(portions) => setChosen({ ...chosen, [offer.id]: portions })}
              asked={asked === offer.id}
              onOrder={() => setAsked(offer.id)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface PreviewCardProps {
  offer: Special;
  taxRate: string;
  portions: number;
  onPortions: (portions: number) => void;
  /** The order button was pressed: it says what would follow. */
  asked: boolean;
  onOrder: () => void;
}

function PreviewCard({ offer, taxRate, portions, onPortions, asked, onOrder }: PreviewCardProps) {
  const saved = savings(
    parseCents(offer.regularPrice) ?? 0,
    parseCents(offer.specialOfferPrice) ?? 0,
  );
  const most = offer.perOrderLimit;
  const sums = orderSums(offer.specialOfferPrice, portions, taxRate);
  const deadline = formatMoment(offer.preorderExpiresAt, offer.timezone);
  const minimum = offer.minPreordersRequired;
  const condition = `only if ${minimum} ${minimum === 1 ? "portion is" : "portions are"} booked by ${deadline}`;
  return (
    <article className="card" aria-label={`Preview of ${offer.name}`}>
      <Picture
        url={offer.imageUrl}
        srcset={offer.imageSrcset}
        sizes="(min-width: 48rem) 28rem, 90vw"
        alt=""
      />
      <div className="card-body stack [--gap:0.75rem]">
        <h3 className="break-words">{offer.name}</h3>
        <p className="price">
          <strong className="price-now">{formatDecimal(offer.specialOfferPrice)}</strong>
          <s className="price-was">{formatDecimal(offer.regularPrice)}</s>
          <span className="price-save">Save {saved.percent}%</span>
        </p>
        <Seats
          filled={offer.currentPreorders}
          minimum={minimum}
          maximum={offer.maxPreorders}
          state={offer.seatsState}
          sentence={offer.seatsSentence}
        />
        {offer.description && <p className="small muted break-words">{offer.description}</p>}
        <p className="small">
          Served {formatDay(offer.specialServeDate)}. Held now. Charged {condition}.
          {offer.alternativeDishName && ` Alternative: ${offer.alternativeDishName}.`}
        </p>
        {most > 0 ? (
          <>
            <Quantity name={offer.name} value={portions} most={most} onChange={onPortions} />
            <dl className="sums">
              <dt>Subtotal</dt>
              <dd>{formatCents(sums.subtotal)}</dd>
              <dt>Tax ({Number(taxRate)}%)</dt>
              <dd>{formatCents(sums.tax)}</dd>
              <dt className="font-semibold">Total</dt>
              <dd className="font-semibold">{formatCents(sums.total)}</dd>
            </dl>
            <Button variant="primary" onClick={onOrder} disabled={!offer.preordersOpen}>
              {offer.preordersOpen ? "Pre-Order Now" : "Pre-orders open soon"}
            </Button>
          </>
        ) : (
          <p className="font-semibold">Sold out</p>
        )}
        {asked && (
          <Notice tone="herb">
            <p role="status">
              Preview only. A diner now gives a name, an e-mail and a card;{" "}
              {formatCents(sums.total)} would be held, and charged {condition}.
            </p>
          </Notice>
        )}
      </div>
    </article>
  );
}

interface QuantityProps {
  name: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}

function Quantity({ name, value, most, onChange }: QuantityProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a stepper of two buttons
    <div role="group" aria-label={`Portions of ${name}`} className="stepper items-center">
      <Button aria-label="One less" disabled={value <= 1} onClick={() => onChange(value - 1)}>
        <Minus size={18} strokeWidth={1.5} aria-hidden="true" />
      </Button>
      <output className="min-w-10 text-center font-semibold tabular-nums" aria-live="polite">
        {value}
      </output>
      <Button aria-label="One more" disabled={value >= most} onClick={() => onChange(value + 1)}>
        <Plus size={18} strokeWidth={1.5} aria-hidden="true" />
      </Button>
      <span className="small muted">{value === 1 ? "portion" : "portions"}</span>
    </div>
  );
}
