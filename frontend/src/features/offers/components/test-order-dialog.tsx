import { useCallback, useState } from "react";
import type { Special } from "@/api/types";
import { formatCents, formatDecimal, parseCents, savings } from "@/lib/money";
import { formatDay } from "@/lib/times";
import { AddedNotice } from "@/ui/added-notice";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import { orderSums } from "../lib/order-sums";
import { Quantity } from "./quantity";
import { cartTotal, TestCart, type TestItem, TestPayment } from "./test-cart";

interface TestOrderDialogProps {
  /** The one whose button was pressed comes first. */
  offers: Special[];
  taxRate: string;
  onClose: () => void;
}

type Step = "offers" | "cart" | "payment";

/**
 * The offers as a guest orders them: quantities, the cart, tax, what happens to the card.
 * Nothing is sent.
 */
export function TestOrderDialog({ offers, taxRate, onClose }: TestOrderDialogProps) {
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [isOrdered, setAsked] = useState<string | null>(null);
  const [step, setStep] = useState<Step>("offers");
  const [items, setLines] = useState<TestItem[]>([]);
  const [added, setAdded] = useState<{ name: string; turn: number } | null>(null);
  const gone = useCallback(() => setAdded(null), []);

  function setPortions(offer: Special, portions: number) {
    const others = items.filter((item) => item.offer.id !== offer.id);
    const most = Math.min(portions, offer.perOrderLimit);
    setLines(portions > 0 ? [...others, { offer, portions: most }] : others);
  }

  function add(offer: Special) {
    const there = items.find((item) => item.offer.id === offer.id)?.portions ?? 0;
    setPortions(offer, there + (chosen[offer.id] ?? 1));
    setAdded({ name: offer.name, turn: (added?.turn ?? 0) + 1 });
  }

  const total = formatCents(cartTotal(items, taxRate).total);
  const portions = items.reduce((sum, item) => sum + item.portions, 0);
  return (
    <Dialog
      open
      wide={step === "offers"}
      onClose={onClose}
      title={{ offers: "Test order", cart: "Test cart", payment: "Test payment" }[step]}
      description="What a guest sees and pays. This is a preview: nothing is ordered and no card is needed."
      footer={
        step === "offers" ? (
          <>
            <Button onClick={onClose}>Close preview</Button>
            <Button variant="primary" onClick={() => setStep("cart")}>
              {portions ? `View cart (${portions}) · ${total}` : "View cart"}
            </Button>
          </>
        ) : step === "cart" ? (
          <>
            <Button onClick={() => setStep("offers")}>Back to specials</Button>
            {portions > 0 && (
              <Button variant="primary" onClick={() => setStep("payment")}>
                Continue to payment · {total}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button onClick={() => setStep("cart")}>Cancel</Button>
            <Button variant="primary" onClick={onClose}>
              Close preview
            </Button>
          </>
        )
      }
    >
      {step === "offers" && (
        <ul className="grid items-start gap-5 md:grid-cols-2" aria-label="Specials in the preview">
          {offers.map((offer) => (
            <li key={offer.id}>
              <PreviewCard
                offer={offer}
                taxRate={taxRate}
                portions={chosen[offer.id] ?? 1}
                onPortions={(next) => setChosen({ ...chosen, [offer.id]: next })}
                isOrdered={isOrdered === offer.id}
                onOrder={() => setAsked(offer.id)}
                onAdd={() => add(offer)}
              />
            </li>
          ))}
        </ul>
      )}
      {step === "cart" && <TestCart items={items} taxRate={taxRate} onPortions={setPortions} />}
      {step === "payment" && <TestPayment items={items} taxRate={taxRate} />}
      {added && (
        <AddedNotice key={added.turn} title="Added to cart" name={added.name} onGone={gone} />
      )}
    </Dialog>
  );
}

interface PreviewCardProps {
  offer: Special;
  taxRate: string;
  portions: number;
  onPortions: (portions: number) => void;
  /** The order button was pressed: it says what would follow. */
  isOrdered: boolean;
  onOrder: () => void;
  onAdd: () => void;
}

function PreviewCard({
  offer,
  taxRate,
  portions,
  onPortions,
  isOrdered,
  onOrder,
  onAdd,
}: PreviewCardProps) {
  const saved = savings(
    parseCents(offer.regularPrice) ?? 0,
    parseCents(offer.specialOfferPrice) ?? 0,
  );
  const most = offer.perOrderLimit;
  const sums = orderSums(offer.specialOfferPrice, portions, taxRate);
  return (
    <article className="card" aria-label={`Preview of ${offer.name}`}>
      <Picture
        url={offer.imageUrl}
        srcset={offer.imageSrcset}
        sizes="(min-width: 48rem) 28rem, 90vw"
        alt=""
      />
      <div className="card-body stack rhythm-3">
        <h3>{offer.name}</h3>
        <p className="price">
          <strong className="price-now">{formatDecimal(offer.specialOfferPrice)}</strong>
          <s className="price-was">{formatDecimal(offer.regularPrice)}</s>
          <span className="price-save">Save {saved.percent}%</span>
        </p>
        <Seats
          filled={offer.currentPreorders}
          minimum={offer.minPreordersRequired}
          maximum={offer.maxPreorders}
          state={offer.seatsState}
          sentence={offer.seatsSentence}
        />
        {offer.description && <p className="small muted break-words">{offer.description}</p>}
        <p className="small">
          Served {formatDay(offer.specialServeDate)}. {offer.cardTerms}
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
            {offer.preordersOpen && (
              <Button onClick={onAdd}>
                Add to cart<span className="visually-hidden"> {offer.name}</span>
              </Button>
            )}
          </>
        ) : (
          <p className="font-semibold">Sold out</p>
        )}
        {isOrdered && (
          <Notice tone="herb">
            <p role="status">
              Preview only. Next, a guest enters a name, an email, and a card for{" "}
              {formatCents(sums.total)}.
            </p>
          </Notice>
        )}
      </div>
    </article>
  );
}
