import { type ReactNode, useState } from "react";
import type { OrderDetail } from "@/api/types";
import { centsToDecimal, formatCents, formatDecimal, parseCents } from "@/lib/money";
import { sentenceFor } from "@/lib/server-errors";
import { useSettled } from "@/lib/use-settled";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { MoneyInput, TextInput } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { useRefundEffect } from "../api/get-refund-effect";
import { cancelConsequence } from "../lib/order-labels";
import { refundable, refundProblem } from "../lib/refund";

interface ActionDialogProps {
  detail: OrderDetail;
  busy: boolean;
  /** The refusal, or that the connection broke. */
  problem: ReactNode;
  onClose: () => void;
}

const LONGEST_REASON = 150;

interface ReasonProps {
  value: string;
  error: string | null;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

/** Why money is moved; it is shown with the order. */
export function ReasonField({ value, error, onChange, autoFocus }: ReasonProps) {
  return (
    <TextInput
      label="Reason"
      maxLength={LONGEST_REASON}
      hint="Saved with the order. The guest doesn't see it."
      error={error ?? undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      data-autofocus={autoFocus || undefined}
    />
  );
}

export const NO_REASON = "Enter a short reason.";

/** Asks before an order is canceled, and says what happens to the money. */
export function CancelDialog({
  detail,
  busy,
  problem,
  onClose,
  onCancel,
}: ActionDialogProps & { onCancel: (reason: string) => void }) {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const { order } = detail;

  function send() {
    setMissing(!reason.trim());
    if (reason.trim()) onCancel(reason.trim());
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={busy}
      title={`Cancel ${order.customerName}'s order?`}
      description={cancelConsequence(order)}
      problem={problem}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Keep order
          </Button>
          <Button variant="danger" busy={busy} onClick={send}>
            Cancel order
          </Button>
        </>
      }
    >
      <ReasonField
        autoFocus
        value={reason}
        error={missing ? NO_REASON : null}
        onChange={setReason}
      />
    </Dialog>
  );
}

/** A full or partial refund: what the guest receives and what it costs the restaurant. */
export function RefundDialog({
  detail,
  busy,
  problem,
  onClose,
  onRefund,
}: ActionDialogProps & {
  onRefund: (amount: string | null, reason: string, confirmed: string | null) => void;
}) {
  const { order, money } = detail;
  const left = refundable(money);
  const [part, setPart] = useState(false);
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const typed = refundProblem(amount, money) ? null : parseCents(amount);
  const refundCents = part ? typed : left;
  const settled = useSettled(refundCents);
  const effect = useRefundEffect(detail, settled === refundCents ? refundCents : null);
  const [again, setAgain] = useState("");
  const [differs, setDiffers] = useState(false);
  const needsAgain = effect.data?.needsConfirmation ?? false;

  function send() {
    const wrong = part ? refundProblem(amount, money) : null;
    const why = reason.trim();
    setError(wrong);
    setMissing(!why);
    const confirmed = parseCents(again);
    const isDifferent = needsAgain && confirmed !== refundCents;
    setDiffers(isDifferent);
    if (wrong || !why || isDifferent) return;
    onRefund(
      typed !== null && part ? centsToDecimal(typed) : null,
      why,
      needsAgain && confirmed !== null ? centsToDecimal(confirmed) : null,
    );
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={busy}
      title={`Refund ${order.customerName}`}
      description={`${formatCents(left)} is refundable. A refund takes 5 to 10 days to reach the card.`}
      problem={problem}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Don't refund
          </Button>
          <Button variant="danger" busy={busy} onClick={send}>
            {refundCents === null ? "Refund" : `Refund ${formatCents(refundCents)}`}
          </Button>
        </>
      }
    >
      <div className="stack">
        <fieldset>
          <legend className="visually-hidden">Refund amount</legend>
          <label className="check">
            <input type="radio" name="refund" checked={!part} onChange={() => setPart(false)} />
            <span>Full, {formatCents(left)}</span>
          </label>
          <label className="check">
            <input type="radio" name="refund" checked={part} onChange={() => setPart(true)} />
            <span>Partial</span>
          </label>
        </fieldset>
        {part && (
          <MoneyInput
            label="Amount"
            value={amount}
            maxLength={12}
            error={error ?? undefined}
            hint={`Up to ${formatCents(left)}, tax included.`}
            onChange={(event) => {
              setAmount(event.target.value);
              setError(null);
            }}
            ref={(input) => {
              if (input && !amount && document.activeElement?.getAttribute("type") === "radio") {
                input.focus();
              }
            }}
          />
        )}
        <ReasonField value={reason} error={missing ? NO_REASON : null} onChange={setReason} />
        <dl className="sum" aria-live="polite">
          <div>
            <dt>{order.customerName} receives</dt>
            <dd>{refundCents === null ? "–" : formatCents(refundCents)}</dd>
          </div>
          <div>
            <dt>Platform fee returned</dt>
            <dd>{effect.data ? formatDecimal(effect.data.revenueShare) : "–"}</dd>
          </div>
          <div>
            <dt>Card processing returned</dt>
            <dd>{effect.data ? formatDecimal(effect.data.processingFee) : "–"}</dd>
          </div>
          <div className="sum-total">
            <dt>Deducted from your payout</dt>
            <dd>{effect.data ? formatDecimal(effect.data.lessPayout) : "–"}</dd>
          </div>
        </dl>
        {effect.data?.advance && (
          <Notice tone="honey">
            <p>
              Your Stripe balance is {effect.data.advance} too low for this refund. The next orders
              fill it first.
            </p>
          </Notice>
        )}
        {needsAgain && refundCents !== null && (
          <MoneyInput
            label="Amount again"
            value={again}
            maxLength={12}
            error={differs ? `Type ${formatCents(refundCents)} again to confirm.` : undefined}
            hint={`This is a large refund. Type ${formatCents(refundCents)} again to confirm it.`}
            onChange={(event) => {
              setAgain(event.target.value);
              setDiffers(false);
            }}
          />
        )}
        {effect.isError && (
          <p className="small muted">
            {sentenceFor(effect.error, "We couldn't work out the fees for this refund.")}
          </p>
        )}
      </div>
    </Dialog>
  );
}
