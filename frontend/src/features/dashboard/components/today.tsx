import { ChefHat, ScanLine } from "lucide-react";
import type { Special, Today as TodayData } from "@/api/types";
import { dayAfter, todayIn } from "@/lib/times";
import { ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { agendaFor } from "../lib/agenda";
import type { Rights } from "../types";
import { DeadlineCard } from "./deadline-card";
import { hasMoved, MoneyStrip } from "./money-strip";
import { ResultCard } from "./result-card";

interface TodayProps {
  offers: Special[];
  timeZone: string;
  paymentsReady: boolean;
  /** Whether this person sees the button that finishes the payment account (DECISIONS X68). */
  canFinishPayments: boolean;
  /** Orders whose card was declined and that can still be paid. */
  failedPayments: number;
  /** How specials just ended, and the money for those who see it. */
  today: TodayData;
  permissions: Pick<Rights, "fulfillOrders" | "editOrders" | "editOffers">;
}

/** As many cards as fit on a phone above what follows; a link leads to the others. */
const MOST_AT_RISK = 3;

/** First what needs the owner: a payment account to finish, offers at risk, the next deadline. */
export function Today({
  offers,
  timeZone,
  paymentsReady,
  canFinishPayments,
  failedPayments,
  today: { results, money },
  permissions,
}: TodayProps) {
  const { upcoming, atRisk, deciding, servedToday, servedTomorrow } = agendaFor(offers, timeZone);
  const today = todayIn(timeZone);
  const next = upcoming.find((offer) => !atRisk.includes(offer));
  const more = atRisk.length - MOST_AT_RISK;
  const busy = [upcoming, deciding, results, servedToday, servedTomorrow].some(
    ({ length }) => length > 0,
  );
  const quiet = paymentsReady && !busy && failedPayments === 0;
  return (
    <section aria-labelledby="today-title" className="stack">
      <h2 id="today-title" className="visually-hidden">
        Today
      </h2>
      {!paymentsReady && !canFinishPayments && (
        <Notice tone="honey">
          <p>
            <strong>Pre-orders are not open yet.</strong> Payment setup isn't finished, so guests
            can see your specials but can't order. Ask the owner to finish it.
          </p>
        </Notice>
      )}
      {results.length > 0 && (
        <div className={results.length > 1 ? "grid gap-4 lg:grid-cols-2" : "grid"}>
          {results.map((result) => (
            <ResultCard
              key={result.offerId}
              result={result}
              canMessage={permissions.editOrders}
              canRunAgain={permissions.editOffers}
            />
          ))}
        </div>
      )}
      {deciding.map((offer) => (
        <Notice key={offer.id}>
          <p>
            <strong>{offer.name}</strong> has reached its deadline. We're charging or releasing
            every hold now. You don't need to do anything.
          </p>
        </Notice>
      ))}
      {failedPayments > 0 && (
        <Notice tone="berry">
          <p>
            <strong>
              {failedPayments === 1
                ? "1 card was declined."
                : `${failedPayments} cards were declined.`}
            </strong>{" "}
            {failedPayments === 1 ? "The guest has" : "The guests have"} 24 hours to pay by link. A
            quick call helps. If they don't pay, only{" "}
            {failedPayments === 1 ? "this order is" : "these orders are"} canceled.
          </p>
          <ButtonLink
            size="small"
            className="self-start"
            href="/restaurant?tab=orders&payment=capture_failed"
          >
            See who to call
          </ButtonLink>
        </Notice>
      )}
      {servedToday.length > 0 && (
        <Notice tone="herb">
          <p>
            <strong>{portionsOf(servedToday)}</strong> to serve today.
          </p>
          <div className="cluster">
            {permissions.fulfillOrders && (
              <ButtonLink size="small" variant="primary" href="/restaurant/pick-up">
                <ScanLine size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
                Open pickup
              </ButtonLink>
            )}
            <KitchenLink day={today} />
          </div>
        </Notice>
      )}
      {servedTomorrow.length > 0 && (
        <Notice>
          <p>
            <strong>{portionsOf(servedTomorrow)}</strong> to cook for tomorrow.
          </p>
          <KitchenLink day={dayAfter(today)} />
        </Notice>
      )}
      {atRisk.length + (next ? 1 : 0) > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {atRisk.slice(0, MOST_AT_RISK).map((offer) => (
            <li key={offer.id}>
              <DeadlineCard offer={offer} atRisk />
            </li>
          ))}
          {next && (
            <li>
              <DeadlineCard offer={next} />
            </li>
          )}
        </ul>
      )}
      {more > 0 && (
        <p>
          <a className="inline-flex min-h-11 items-center" href="/restaurant?tab=specials">
            {more === 1 ? "1 more special needs a push" : `${more} more specials need a push`}
          </a>
        </p>
      )}
      {money && hasMoved(money) && <MoneyStrip money={money} />}
      {quiet && <p className="muted">Nothing needs your attention today.</p>}
    </section>
  );
}

/** '6 portions of Osso buco and 4 of Risotto'. */
function portionsOf(offers: Special[]): string {
  const parts = offers.map(({ currentPreorders: count, name }, place) => {
    if (place > 0) return `${count} of ${name}`;
    return `${count} ${count === 1 ? "portion" : "portions"} of ${name}`;
  });
  return new Intl.ListFormat("en-US").format(parts);
}

function KitchenLink({ day }: { day: string }) {
  return (
    <ButtonLink size="small" href={`/restaurant/kitchen?day=${day}`} className="self-start">
      <ChefHat size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
      Kitchen sheet
    </ButtonLink>
  );
}
