import type { StripeElementsOptionsMode } from "@stripe/stripe-js";
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
  /** Undefined until the portions are reserved; only the card fields load until then. */
  begun: CartBegun | undefined;
  /** What the intent will say, for card fields that load before there is one. */
  intended?: StripeElementsOptionsMode;
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
  const [terms = "", consent = ""] = begun?.mandate.split("\n") ?? [];
  const recipient = rest.guest?.email ?? email;
  const total = formatDecimal(begun?.totalAmount ?? "0");
  return (
    <div className="cart-payment stack rhythm-3">
      {begun && <Ordered begun={begun} />}
      <CardForm
        {...rest}
        clientSecret={begun?.clientSecret}
        submitLabel={interpolate(gettext("Pre-Order Now · %s"), [total])}
        cancelLabel={gettext("Back")}
        mandate={
          begun && (
            <div className="stack rhythm-1">
              <ReservationClock until={begun.expiresAt} />
              <Terms text={unbroken(terms)} />
            </div>
          )
        }
        consent={
          begun && (
            <>
              {begun.items.length > 1 && (
                <span className="cart-place-below">
                  <Place address={begun.address} />
                </span>
              )}
              <Consent text={consent} />
              {recipient && (
                <span className="block break-words">
                  <BreaksAtSign
                    text={interpolate(gettext("We'll email the confirmation to %s."), [recipient])}
                  />
                </span>
              )}
            </>
          )
        }
      />
    </div>
  );
}

/** Where it is served. */
function Place({ address }: { address: string }) {
  if (!address) return null;
  return (
    <span className="cart-place">
      <span className="icon icon-pin" aria-hidden="true" /> {address}
    </span>
  );
}

/** What is ordered; on a phone, more dishes than there is room for are folded. */
function Ordered({ begun: { items, totalAmount, address } }: { begun: CartBegun }) {
  const taxes = items.map(({ tax }) => tax);
  const total = (
    <span className="text-[0.8125rem] muted font-normal">
      {taxes.some(parseCents)
        ? interpolate(gettext("Total with %s tax"), [sumOf(taxes)])
        : gettext("Total")}
    </span>
  );
  const place = <Place address={address} />;
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
  if (innerWidth < ROOM_FOR_ALL && items.length > MOST_ON_A_PHONE) {
    return (
      <details className="fold">
        <summary className="cart-head">
          {head}
          <span className="cart-dishes">{items.map(({ name }) => name).join(" · ")}</span>
        </summary>
        {ordered}
        {place}
      </details>
    );
  }
  if (items.length > 1) {
    return (
      <div>
        <div className="cart-head">{head}</div>
        {ordered}
        {place}
      </div>
    );
  }
  return items.map((item) => (
    <div key={item.preorderId} className="cart-dish cart-cover">
      <Thumbnail url={item.imageUrl} large={item.photoUrl} />
      <div>
        <p className="font-semibold">
          {item.quantity} × {item.name}
        </p>
        <p className="cart-facts">
          <Served text={item.served} />
        </p>
        {item.isShort && (
          <p className="cart-facts">
            <SeatsSentence isShort text={item.seatsSentence} />
          </p>
        )}
        {place}
        <p className="cart-name">
          {total}
          <strong className="tabular-nums">{formatDecimal(totalAmount)}</strong>
        </p>
      </div>
    </div>
  ));
}
