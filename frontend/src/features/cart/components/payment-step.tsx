import type { CartBegun } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import type { Processor } from "@/lib/processor";
import { joined } from "../lib/cart-items";
import type { Guest } from "../lib/guest";
import { sumOf } from "../lib/totals";
import { CardForm } from "./card-form";
import { Consent } from "./consent";
import { ItemTerms } from "./item-terms";
import { ReservationClock } from "./reservation-clock";
import { Thumbnail } from "./thumbnail";

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
  return (
    <div className="stack rhythm-4">
      <dl className="sum">
        {begun.items.map((item) => (
          <div key={item.preorderId} className="items-start py-1.5">
            <dt className="flex min-w-0 gap-3">
              <Thumbnail url={item.imageUrl} small />
              <span className="min-w-0 break-words">
                {item.quantity} × {item.name}
                <span className="block small muted">{joined(item.served)}</span>
                {begun.items.length > 1 && <ItemTerms item={item} />}
              </span>
            </dt>
            <dd>{formatDecimal(item.subtotal)}</dd>
          </div>
        ))}
        <div>
          <dt>{gettext("Tax")}</dt>
          <dd>{sumOf(begun.items.map(({ tax }) => tax))}</dd>
        </div>
        <div className="sum-total">
          <dt>{gettext("Total")}</dt>
          <dd>{formatDecimal(begun.totalAmount)}</dd>
        </div>
      </dl>
      <CardForm
        {...rest}
        clientSecret={begun.clientSecret}
        submitLabel={interpolate(gettext("Pre-Order Now · %s"), [formatDecimal(begun.totalAmount)])}
        cancelLabel={gettext("Back")}
        mandate={
          <div className="stack rhythm-2">
            <ReservationClock until={begun.expiresAt} />
            <p>{terms}</p>
            <p className="muted">
              <Consent text={consent} />
            </p>
          </div>
        }
      />
    </div>
  );
}
