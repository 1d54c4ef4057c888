import type { CartBegun } from "@/api/types";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal, parseCents } from "@/lib/money";
import type { Processor } from "@/lib/processor";
import { unbroken } from "../lib/card-terms";
import type { Guest } from "../lib/guest";
import { sumOf } from "../lib/totals";
import { BreaksAtSign } from "./breaks-at-sign";
import { CardForm } from "./card-form";
import { Consent } from "./consent";
import { ReservationClock } from "./reservation-clock";
import { SeatsSentence } from "./seats-sentence";
import { Served } from "./served";
import { Thumbnail } from "./thumbnail";

interface PaymentStepProps {
  begun: CartBegun;
  processor: Processor;
  returnUrl: string;
  guest?: Guest;
  /** Where the confirmation goes, if the guest isn't known. */
  email?: string;
  /** The card was just refused, on a page of the bank's own. */
  refused?: boolean;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onConfirmed: () => Promise<void>;
}

/** What happens to the card, in sentences; the first says that nothing does today. */
function Terms({ text }: { text: string }) {
  const end = text.indexOf(". ") + 1 || text.length;
  return (
    <p>
      <strong className="block text-base">{text.slice(0, end)}</strong>
      {text.slice(end)}
    </p>
  );
}

/** Narrower screens have room for the card's number and this many items. */
const ROOM_FOR_ALL = 768; // pixels
const MOST_ON_A_PHONE = 3;

/** What is ordered, what happens to the card, and the card fields. */
export function PaymentStep({ begun, email, ...rest }: PaymentStepProps) {
  const [terms, consent = ""] = begun.mandate.split("\n");
  const { items, totalAmount } = begun;
  const taxes = items.map(({ tax }) => tax);
  const isOneOfSeveral = items.length > 1;
  const recipient = rest.guest?.email ?? email;
  const total = (
    <span className="text-[0.8125rem] muted font-normal">
      {taxes.some(parseCents)
        ? interpolate(gettext("Total with %s tax"), [sumOf(taxes)])
        : gettext("Total")}
    </span>
  );
  const isFolded = innerWidth < ROOM_FOR_ALL && items.length > MOST_ON_A_PHONE;
  const place = begun.address && (
    <span className="cart-place">
      <span className="icon icon-pin" aria-hidden="true" /> {begun.address}
    </span>
  );
  const head = (
    <>
      <span>{interpolate(ngettext("%s dish", "%s dishes", items.length), [items.length])}</span>
      <span className="tabular-nums">
        {total} {formatDecimal(totalAmount)}
      </span>
    </>
  );
  const ordered = (
    <dl className="sum cart-sum">
      {items.map((item) => (
        <div key={item.preorderId}>
          <dt>
            {item.quantity} × {item.name}
          </dt>
          <dd>{formatDecimal(item.totalAmount)}</dd>
          <dd className="cart-terms">
            <span className="muted">
              <Served text={item.served} />
            </span>
            <SeatsSentence isShort={item.isShort} text={item.seatsSentence} />{" "}
            <span className="muted">{unbroken(item.chargeInBrief)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <div className="cart-payment stack rhythm-3">
      {isFolded ? (
        <details className="fold">
          <summary className="cart-head">
            {head}
            <span className="cart-dishes">{items.map(({ name }) => name).join(" · ")}</span>
          </summary>
          {ordered}
          {place}
        </details>
      ) : isOneOfSeveral ? (
        <div>
          <div className="cart-head">{head}</div>
          {ordered}
          {place}
        </div>
      ) : (
        items.map((item) => (
          <div key={item.preorderId} className="cart-dish cart-cover">
            <Thumbnail url={item.imageUrl} large={item.photoUrl} />
            <div>
              <p className="font-semibold">
                {item.quantity} × {item.name}
              </p>
              <p className="cart-facts">
                <Served text={item.served} />
              </p>
              {place}
              <p className="cart-name">
                {total}
                <strong className="tabular-nums">{formatDecimal(totalAmount)}</strong>
              </p>
            </div>
          </div>
        ))
      )}
      <CardForm
        {...rest}
        clientSecret={begun.clientSecret}
        submitLabel={interpolate(gettext("Pre-Order Now · %s"), [formatDecimal(begun.totalAmount)])}
        cancelLabel={gettext("Back")}
        mandate={
          <div className="stack rhythm-1">
            <ReservationClock until={begun.expiresAt} />
            <Terms text={terms ?? ""} />
          </div>
        }
        consent={
          <>
            {isOneOfSeveral && <span className="cart-place-below">{place}</span>}
            <Consent text={consent} />
            {recipient && (
              <span className="block break-words">
                <BreaksAtSign
                  text={interpolate(gettext("We'll email the confirmation to %s."), [recipient])}
                />
              </span>
            )}
          </>
        }
      />
    </div>
  );
}
