import type { Special } from "@/api/types";
import { formatMoment } from "@/lib/times";
import { CopyButton } from "@/ui/copy-button";
import { Countdown } from "@/ui/countdown";
import { Seats } from "@/ui/seats";

/** When an offer decides, and how far it is. */
export function DeadlineCard({ offer, atRisk = false }: { offer: Special; atRisk?: boolean }) {
  return (
    <div className="card h-full">
      <div className="card-body stack h-full rhythm-2.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="eyebrow">{atRisk ? "Needs a push" : "Next deadline"}</span>
          <span className="small font-semibold">
            <Countdown deadline={offer.preorderExpiresAt} />
          </span>
        </p>
        <h3 className="wrap-anywhere">
          <a className="text-ink" href={`/restaurant/offers/${offer.id}`}>
            {offer.name}
          </a>
        </h3>
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
            Closes {formatMoment(offer.preorderExpiresAt, offer.timezone)}
          </time>
          {atRisk && (
            <CopyButton
              size="small"
              text={offer.shareableUrl}
              label="Copy share link"
              accessibleLabel={`Copy share link for ${offer.name}`}
            />
          )}
        </div>
      </div>
    </div>
  );
}
