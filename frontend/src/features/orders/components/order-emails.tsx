import type { OrderDetail } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { showSuccess } from "@/ui/toaster";
import { useOrderActions } from "../hooks/use-order-actions";

/** The emails sent to the guest; each can be resent. */
export function OrderEmails({ detail, timeZone }: { detail: OrderDetail; timeZone: string }) {
  const { order, emails } = detail;
  const { run, doing, problem } = useOrderActions(order.id);
  const [isSending, canResend] = [doing !== null, order.actions.includes("resend")];
  // The newest of a kind is the one to send again.
  const newest = new Map(emails.map((email) => [email.kind, email]));

  async function resend(kind: string, label: string) {
    if (await run({ action: "resend", kind }, order)) {
      showSuccess("Email on its way", `We're resending “${label}” to ${order.customerEmail}.`);
    }
  }

  if (emails.length === 0) {
    return (
      <p className="muted small">
        {order.customerEmail ? "No emails sent yet." : "There is no email address on this order."}
      </p>
    );
  }
  return (
    <div className="stack rhythm-2">
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <ul className="rows">
        {emails.map((email) => (
          <li key={`${email.kind}-${email.number}`}>
            <div className="min-w-0">
              <p className="font-semibold">{email.label}</p>
              <p className="small muted">
                {email.sentAt ? formatMoment(email.sentAt, timeZone) : "Sending"}
                {email.number > 1 && `, ${ordinal(email.number)} copy`}
              </p>
            </div>
            {canResend && email.canResend && email.sentAt && newest.get(email.kind) === email && (
              <Button
                size="small"
                disabled={isSending}
                aria-label={`Resend “${email.label}”`}
                onClick={() => void resend(email.kind, email.label)}
              >
                Resend
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ordinal(number: number): string {
  const rule = new Intl.PluralRules("en-US", { type: "ordinal" }).select(number);
  return `${number}${{ one: "st", two: "nd", few: "rd" }[rule as "one"] ?? "th"}`;
}
