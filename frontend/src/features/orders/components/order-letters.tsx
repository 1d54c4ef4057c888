import type { OrderDetail } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { showSuccess } from "@/ui/toaster";
import { useOrderActs } from "../hooks/use-order-acts";

/** The letters that went to the diner; each can go once more. */
export function OrderLetters({ detail, timeZone }: { detail: OrderDetail; timeZone: string }) {
  const { order, letters } = detail;
  const { run, doing, problem } = useOrderActs(order.id);
  const [asked, maySend] = [doing !== null, order.actions.includes("resend")];
  // The newest of a kind is the one to send again.
  const newest = new Map(letters.map((letter) => [letter.kind, letter]));

  async function resend(kind: string, label: string) {
    if (await run({ act: "resend", kind }, order)) {
      showSuccess("Email on its way", `We're resending “${label}” to ${order.customerEmail}.`);
    }
  }

  if (letters.length === 0) {
    return (
      <p className="muted small">
        {order.customerEmail ? "No emails sent yet." : "There is no email address on this order."}
      </p>
    );
  }
  return (
    <div className="stack [--gap:0.5rem]">
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <ul className="rows">
        {letters.map((letter) => (
          <li key={`${letter.kind}-${letter.number}`}>
            <div className="min-w-0">
              <p className="font-semibold">{letter.label}</p>
              <p className="small muted">
                {letter.sentAt ? formatMoment(letter.sentAt, timeZone) : "Sending"}
                {letter.number > 1 && `, ${ordinal(letter.number)} copy`}
              </p>
            </div>
            {maySend && letter.canResend && letter.sentAt && newest.get(letter.kind) === letter && (
              <Button
                size="small"
                disabled={asked}
                aria-label={`Resend “${letter.label}”`}
                onClick={() => void resend(letter.kind, letter.label)}
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
