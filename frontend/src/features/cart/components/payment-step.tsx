import type { CartBegun } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import type { Processor } from "@/lib/processor";
import type { Guest } from "../lib/guest";
import { CardForm } from "./card-form";
import { ReservationClock } from "./reservation-clock";

interface PaymentStepProps {
  begun: CartBegun;
  processor: Processor;
  returnUrl: string;
  guest: Guest;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onConfirmed: () => Promise<void>;
}

/** The card, and what happens to it. */
export function PaymentStep({ begun, ...rest }: PaymentStepProps) {
  return (
    <div className="stack rhythm-5">
      <dl className="sum">
        {begun.items.map((item) => (
          <div key={item.preorderId}>
            <dt>
              {item.quantity} × {item.name}
            </dt>
            <dd>{formatDecimal(item.totalAmount)}</dd>
          </div>
        ))}
        <div className="sum-total">
          <dt>{gettext("Total with tax")}</dt>
          <dd>{formatDecimal(begun.totalAmount)}</dd>
        </div>
      </dl>
      <ReservationClock until={begun.expiresAt} />
      <CardForm
        {...rest}
        clientSecret={begun.clientSecret}
        submitLabel={interpolate(gettext("Hold %s"), [formatDecimal(begun.totalAmount)])}
        cancelLabel={gettext("Cancel")}
        mandate={
          <div className="stack rhythm-2">
            {begun.mandate.split("\n").map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p>
              <a href="/terms-of-service" target="_blank" rel="noreferrer">
                {gettext("Terms of Service")}
              </a>
            </p>
          </div>
        }
      />
    </div>
  );
}
