import type { CartBegun } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";
import { formatDecimal, parseCents } from "@/lib/money";
import type { Processor } from "@/lib/processor";
import { joined } from "../lib/cart-items";
import type { Guest } from "../lib/guest";
import { sumOf } from "../lib/totals";
import { CardForm } from "./card-form";
import { Consent } from "./consent";
import { ItemTerms } from "./item-terms";
import { ReservationClock } from "./reservation-clock";

interface PaymentStepProps {
  begun: CartBegun;
  processor: Processor;
  returnUrl: string;
  guest?: Guest;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onConfirmed: () => Promise<void>;
}

/** What is ordered, what happens to the card, and the card fields. */
export function PaymentStep({ begun, ...rest }: PaymentStepProps) {
  const [terms, consent = ""] = begun.mandate.split("\n");
  const taxes = begun.items.map(({ tax }) => tax);
  return (
    <div className="stack rhythm-3">
      <dl className="sum cart-sum">
        {begun.items.map((item) => (
          <div key={item.preorderId}>
            <dt>
              {item.quantity} × {item.name}
            </dt>
            <dd>{formatDecimal(item.subtotal)}</dd>
            <dd className="cart-terms">
              <span className="block muted">{joined(item.served)}</span>
              {begun.items.length > 1 && <ItemTerms item={item} inline />}
            </dd>
          </div>
        ))}
        <div className="sum-total">
          <dt>
            {gettext("Total")}{" "}
            {taxes.some(parseCents) && (
              <span className="small muted font-normal">
                {interpolate(gettext("with %s tax"), [sumOf(taxes)])}
              </span>
            )}
          </dt>
          <dd>{formatDecimal(begun.totalAmount)}</dd>
        </div>
      </dl>
      <CardForm
        {...rest}
        clientSecret={begun.clientSecret}
        submitLabel={interpolate(gettext("Pre-Order Now · %s"), [formatDecimal(begun.totalAmount)])}
        cancelLabel={gettext("Back")}
        mandate={
          <div className="stack rhythm-1">
            <ReservationClock until={begun.expiresAt} />
            <p>{terms}</p>
          </div>
        }
        consent={
          <>
            <Consent text={consent} />
            {rest.guest?.email && (
              <span className="block break-words">
                {interpolate(gettext("We'll email the confirmation to %s."), [rest.guest.email])}
              </span>
            )}
          </>
        }
      />
    </div>
  );
}
