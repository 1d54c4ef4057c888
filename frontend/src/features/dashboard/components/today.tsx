import type { Special } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Countdown } from "@/ui/countdown";
import { Notice } from "@/ui/notice";
import { Seats } from "@/ui/seats";
import { agendaFor } from "../lib/agenda";

interface TodayProps {
  offers: Special[];
  timeZone: string;
  paymentsReady: boolean;
  /** Where the payment account is finished; null for whoever may not. */
  settingsUrl: string | null;
}

/** First what needs the owner: a payment account to finish, offers at risk, the next deadline. */
export function Today({ offers, timeZone, paymentsReady, settingsUrl }: TodayProps) {
  const { upcoming, atRisk, deciding, servedToday } = agendaFor(offers, timeZone);
  const next = upcoming.find((offer) => !atRisk.includes(offer));
  const quiet = paymentsReady && upcoming.length + deciding.length + servedToday.length === 0;
  return (
    <section aria-labelledby="today-title" className="stack">
      <h2 id="today-title" className="visually-hidden">
        Today
      </h2>
      {!paymentsReady && (
        <Notice tone="honey">
          <p>
            <strong>Pre-orders are not open yet.</strong> Your payment account is not finished, so
            diners can see your offers but cannot book.{" "}
            {settingsUrl ? "Finish it to open them." : "Ask the owner to finish it."}
          </p>
          {settingsUrl && (
            <ButtonLink size="small" className="self-start" href={settingsUrl}>
              Finish payment setup
            </ButtonLink>
          )}
        </Notice>
      )}
      {deciding.map((offer) => (
        <Notice key={offer.id}>
          <p>
            <strong>{offer.name}</strong> has reached its deadline. Every hold is being charged or
            released now; there is nothing for you to do.
          </p>
        </Notice>
      ))}
      {servedToday.map((offer) => (
        <Notice key={offer.id} tone="herb">
          <p>
            <strong>
              {offer.currentPreorders} {offer.currentPreorders === 1 ? "portion" : "portions"} of{" "}
              {offer.name}
            </strong>{" "}
            to hand out today.
          </p>
        </Notice>
      ))}
      {atRisk.length + (next ? 1 : 0) > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {atRisk.map((offer) => (
            <DeadlineCard key={offer.id} offer={offer} atRisk />
          ))}
          {next && <DeadlineCard offer={next} />}
        </ul>
      )}
      {quiet && <p className="muted">Nothing needs you today.</p>}
    </section>
  );
}

function DeadlineCard({ offer, atRisk = false }: { offer: Special; atRisk?: boolean }) {
  return (
    <li className="card">
      <div className="card-body stack h-full [--gap:0.625rem]">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="eyebrow">{atRisk ? "Needs a push" : "Next deadline"}</span>
          <span className="small font-semibold">
            <Countdown deadline={offer.preorderExpiresAt} />
          </span>
        </p>
        <h3 className="break-words">{offer.name}</h3>
        <Seats
          small
          filled={offer.currentPreorders}
          minimum={offer.minPreordersRequired}
          maximum={offer.maxPreorders}
          state={offer.seatsState}
          sentence={offer.seatsSentence}
        />
        <div className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-1">
          <time className="small muted" dateTime={offer.preorderExpiresAt}>
            Decides {formatMoment(offer.preorderExpiresAt, offer.timezone)}
          </time>
          {atRisk && (
            <CopyButton
              size="small"
              text={offer.shareableUrl}
              label="Copy link to share"
              accessibleLabel={`Copy link to share ${offer.name}`}
            />
          )}
        </div>
      </div>
    </li>
  );
}
