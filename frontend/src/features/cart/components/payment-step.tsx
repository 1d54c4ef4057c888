import type { CartBegun } from "@/api/types";
import { gettext, interpolate, pageLanguage } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import type { Guest } from "../lib/guest";
import type { Processor } from "../lib/processor";
import { CardForm } from "./card-form";

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
  const until = new Date(begun.expiresAt).toLocaleTimeString(pageLanguage(), {
    hour: "numeric",
    minute: "2-digit",
  });
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
      <p className="small muted">
        {interpolate(gettext("We're holding your portions until %s."), [until])}
      </p>
      <CardForm
        {...rest}
        clientSecret={begun.clientSecret}
        submitLabel={interpolate(gettext("Hold %s"), [formatDecimal(begun.totalAmount)])}
        cancelLabel={gettext("Cancel")}
        mandate={
          <>
            {begun.mandate.split("\n").map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p>
              <a href="/terms-of-service" target="_blank" rel="noreferrer">
                {gettext("Terms of Service")}
              </a>
            </p>
          </>
        }
      />
    </div>
  );
}
