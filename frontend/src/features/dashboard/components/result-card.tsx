import { ChefHat, CircleCheck, CircleSlash, Mail, RotateCcw } from "lucide-react";
import type { SpecialResult } from "@/api/types";
import { formatDecimal, lessDecimal } from "@/lib/money";
import { formatDay } from "@/lib/times";
import { ButtonLink } from "@/ui/button";
import { classNames } from "@/ui/class-names";

interface ResultCardProps {
  result: SpecialResult;
  canMessage: boolean;
  canRunAgain: boolean;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** How a special ended: the portions, the money, when it reaches the bank, and what to do next. */
export function ResultCard({ result, canMessage, canRunAgain }: ResultCardProps) {
  const { offerId, offerName, succeeded, portions, minimum, chargedOrders, declined } = result;
  const Icon = succeeded ? CircleCheck : CircleSlash;
  const title = succeeded
    ? `It's on: ${counted(portions, "portion")}`
    : `Not this time: ${portions} of ${counted(minimum, "portion")}`;
  const page = `/restaurant/offers/${offerId}`;
  return (
    <article
      className={classNames("card result", succeeded && "result-on")}
      aria-labelledby={`result-${offerId}`}
    >
      <div className="card-body stack rhythm-4">
        <div className="stack rhythm-1">
          <p className="eyebrow break-words">
            <a href={page}>{offerName}</a>
          </p>
          <h3
            id={`result-${offerId}`}
            className={classNames("flex items-start gap-2", succeeded ? "text-herb" : "")}
          >
            <Icon size="1.5rem" strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden="true" />
            <span>{title}</span>
          </h3>
          <p className="muted">{whatFollows(result)}</p>
        </div>
        {result.charged !== null && chargedOrders > 0 && (
          <dl className="result-sums">
            <div>
              <dt>Charged to {counted(chargedOrders, "card")}</dt>
              <dd>{formatDecimal(result.charged)}</dd>
            </div>
            {Number(result.refunded) > 0 && (
              <div>
                <dt>Refunded</dt>
                <dd>−{formatDecimal(result.refunded ?? "0.00")}</dd>
              </div>
            )}
            <div>
              <dt>Fees</dt>
              <dd>{lessDecimal(result.fees ?? "0.00")}</dd>
            </div>
            <div className="result-payout">
              <dt>You receive, sent to your bank {formatDay(result.payoutDay)}</dt>
              <dd>{formatDecimal(result.payout ?? "0.00")}</dd>
            </div>
          </dl>
        )}
        {declined > 0 && (
          <p className="text-berry">
            {counted(declined, "card")} {declined === 1 ? "was" : "were"} declined.{" "}
            <a href={`/restaurant?tab=orders&offer=${offerId}&payment=capture_failed`}>
              See who to call
            </a>
          </p>
        )}
        <div className="cluster">
          {chargedOrders > 0 && (
            <ButtonLink
              size="small"
              variant="primary"
              href={`/restaurant/kitchen?offer=${offerId}`}
            >
              <ChefHat size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Kitchen sheet
            </ButtonLink>
          )}
          {chargedOrders > 0 && canMessage && (
            <ButtonLink size="small" href={`${page}#message`}>
              <Mail size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Email your guests
            </ButtonLink>
          )}
          {canRunAgain && (
            <ButtonLink
              size="small"
              variant={chargedOrders > 0 ? "secondary" : "primary"}
              href={`/restaurant?again=${offerId}`}
            >
              <RotateCcw size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Run it again
            </ButtonLink>
          )}
        </div>
      </div>
    </article>
  );
}

function whatFollows({
  succeeded,
  unsettled,
  declined,
  serveDate,
  chargedOrders,
}: SpecialResult): string {
  const waiting = unsettled - declined;
  if (waiting > 0) return `${counted(waiting, "card")} still being processed.`;
  if (succeeded) return `Served ${formatDay(serveDate)}. Your guests know.`;
  if (chargedOrders > 0) return "Guests who chose the alternative were charged. Your guests know.";
  return "No one was charged, and every hold was released. Your guests know.";
}
