import {
  ArrowLeft,
  CalendarSync,
  ChefHat,
  ExternalLink,
  Pencil,
  ReceiptText,
  RotateCcw,
  Send,
} from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import type { Overview, Special } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatDay, formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Countdown } from "@/ui/countdown";
import { Notice } from "@/ui/notice";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import { ShareSpecial } from "@/ui/share-special";
import { useOverview } from "../api/get-overview";
import { CancelOffer } from "./cancel-offer";
import { Changes } from "./changes";
import { MessageGuests } from "./message-guests";
import { OutcomeCard } from "./outcome";
import { RehearsalCard } from "./rehearsal";
import { Rescue } from "./rescue";
import { SlotsEditor } from "./slots-editor";
import { TimelineCard } from "./timeline";
import { Waitlist } from "./waitlist";

export interface OfferPageProps {
  overview: Overview;
  permissions: { editOffers: boolean; editOrders: boolean; seeOrders: boolean };
  timezone: string;
  links: {
    dashboard: string;
    orders: string;
    kitchen: string;
    again: string;
    repeat: string;
    email: string;
  };
  /** How many people follow the restaurant and can be emailed about the offer. */
  followers: number;
  /**
   * Changes whenever something does (`useLive`); `rendered` is the version that the page was
   * rendered with.
   */
  version: string;
  rendered: string;
  /** The dialog that changes the offer's terms. */
  renderEdit: (special: Special, close: () => void) => ReactNode;
  /** What the advisor says about an open offer. */
  renderAdvice: (special: Special) => ReactNode;
}

/** An offer before, during and after its deadline. */
export function OfferPage({
  overview: initial,
  permissions,
  timezone: timeZone,
  links,
  followers,
  version,
  rendered,
  renderEdit,
  renderAdvice,
}: OfferPageProps) {
  const query = useOverview(initial, version, rendered);
  const overview = query.data ?? initial;
  const { special, rehearsal, outcome, timeline, changes, rescue } = overview;
  const [editing, setEditing] = useState(false);
  const { refetch } = query;
  const lookAgain = useCallback(() => void refetch(), [refetch]);
  const open = special.isActive;
  return (
    <div className="stack rhythm-6">
      <div className="stack rhythm-2">
        <a className="small inline-flex items-center gap-1.5 self-start" href={links.dashboard}>
          <ArrowLeft size="1rem" strokeWidth={1.5} aria-hidden="true" />
          All specials
        </a>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 wrap-anywhere">{special.name}</h1>
          <OfferBadge special={special} />
        </div>
        <p className="muted">
          {formatDecimal(special.specialOfferPrice)} instead of{" "}
          {formatDecimal(special.regularPrice)}, served {formatDay(special.specialServeDate)}
        </p>
      </div>
      {query.isError && (
        <Notice tone="berry" urgent>
          <p>We couldn't update these figures.</p>
          <Button size="small" className="self-start" onClick={lookAgain}>
            Try again
          </Button>
        </Notice>
      )}
      <div className="columns max-lg:flex max-lg:flex-col-reverse max-lg:gap-6">
        <div className="stack min-w-0 rhythm-8">
          {rehearsal && (
            <RehearsalCard
              rehearsal={rehearsal}
              title={open ? "If it closed right now" : "Settling now"}
            />
          )}
          {outcome && <OutcomeCard outcome={outcome} />}
          <Waitlist entries={overview.waitlist} timeZone={timeZone} />
          {rescue && (
            <Rescue
              options={rescue}
              special={special}
              timeZone={timeZone}
              asOf={query.dataUpdatedAt}
            />
          )}
          <TimelineCard
            timeline={timeline}
            special={special}
            changes={changes}
            timeZone={timeZone}
          />
          {special.status !== "deleted" && special.wasSuccessful !== false && (
            <SlotsEditor
              offerId={special.id}
              serveDay={special.specialServeDate.slice(0, 10)}
              timeZone={timeZone}
              canEdit={permissions.editOffers}
            />
          )}
          {open && permissions.editOffers && renderAdvice(special)}
          {permissions.editOrders && canHearFromYou(overview) && (
            <MessageGuests special={special} />
          )}
          <Changes changes={changes} timeZone={timeZone} />
          {open && rehearsal && permissions.editOffers && (
            <CancelOffer special={special} rehearsal={rehearsal} />
          )}
        </div>
        <aside className="stack stays max-lg:w-full" aria-label="The special">
          <div className="card">
            <div className="max-lg:hidden">
              <Picture url={special.imageUrl} srcset={special.imageSrcset} sizes="384px" alt="" />
            </div>
            <div className="card-body stack">
              <Seats
                filled={special.currentPreorders}
                minimum={special.minPreordersRequired}
                maximum={special.maxPreorders}
                state={special.seatsState}
                sentence={special.seatsSentence}
              />
              <ReferralSummary shared={overview.shared} />
              <p className="countdown">
                {open && <Countdown deadline={special.preorderExpiresAt} onZero={lookAgain} />}
                <time dateTime={special.preorderExpiresAt}>
                  {formatMoment(special.preorderExpiresAt, timeZone)}
                </time>
              </p>
              <div className="cluster">
                {!open && <CopyButton text={special.shareableUrl} label="Copy link" />}
                <ButtonLink
                  variant="quiet"
                  href={special.shareableUrl}
                  target="_blank"
                  rel="noopener"
                >
                  <ExternalLink size="1rem" strokeWidth={1.5} aria-hidden="true" />
                  Guest page
                </ButtonLink>
                {open && permissions.editOffers && followers > 0 && (
                  <ButtonLink href={links.email}>
                    <Send size="1rem" strokeWidth={1.5} aria-hidden="true" />
                    Email {followers === 1 ? "1 follower" : `${followers} followers`}
                  </ButtonLink>
                )}
              </div>
              {open && <ShareSpecial special={special} timeZone={timeZone} />}
              <div className="cluster border-t border-line pt-3">
                {permissions.seeOrders && (
                  <>
                    <ButtonLink size="small" href={links.orders}>
                      <ReceiptText size="1rem" strokeWidth={1.5} aria-hidden="true" />
                      Orders
                    </ButtonLink>
                    <ButtonLink size="small" href={links.kitchen}>
                      <ChefHat size="1rem" strokeWidth={1.5} aria-hidden="true" />
                      Kitchen sheet
                    </ButtonLink>
                  </>
                )}
                {open && permissions.editOffers && (
                  <Button size="small" onClick={() => setEditing(true)}>
                    <Pencil size="1rem" strokeWidth={1.5} aria-hidden="true" />
                    Edit
                  </Button>
                )}
                {permissions.editOffers && (
                  <>
                    {!open && (
                      <ButtonLink size="small" href={links.again}>
                        <RotateCcw size="1rem" strokeWidth={1.5} aria-hidden="true" />
                        Run it again
                      </ButtonLink>
                    )}
                    <ButtonLink size="small" href={links.repeat}>
                      <CalendarSync size="1rem" strokeWidth={1.5} aria-hidden="true" />
                      Repeat every week
                    </ButtonLink>
                  </>
                )}
              </div>
            </div>
          </div>
        </aside>
      </div>
      {editing &&
        renderEdit(special, () => {
          setEditing(false);
          lookAgain();
        })}
    </div>
  );
}

/** Whether there are guests with an order that isn't canceled. */
function canHearFromYou({ rehearsal, outcome }: Overview): boolean {
  return rehearsal ? rehearsal.portions > 0 : (outcome?.chargedOrders ?? 0) > 0;
}

function OfferBadge({ special }: { special: Special }) {
  if (special.wasSuccessful) return <Badge tone="herb">Went ahead</Badge>;
  if (special.wasSuccessful === false) return <Badge tone="other">Didn't go ahead</Badge>;
  if (special.status === "deleted") return <Badge tone="other">Deleted</Badge>;
  if (!special.isActive) return <Badge tone="honey">Settling</Badge>;
  return <Badge tone="active">Open</Badge>;
}

/** The results of guests' share links; nothing before the first visit through one. */
function ReferralSummary({ shared }: { shared: Overview["shared"] }) {
  if (!shared.visits && !shared.orders) return null;
  const orders = shared.orders === 1 ? "1 order" : `${shared.orders} orders`;
  const visits = shared.visits === 1 ? "1 visit" : `${shared.visits} visits`;
  return (
    <p className="small muted">
      From guests' share links: {orders}, {visits}
    </p>
  );
}
