import {
  BookPlus,
  CircleSlash,
  Copy,
  ExternalLink,
  FlaskConical,
  Pencil,
  RotateCcw,
  Trash2,
} from "lucide-react";
import { useAddToMenu } from "@/api/add-to-menu";
import type { Special } from "@/api/types";
import { formatCents, formatDecimal, parseCents, savings } from "@/lib/money";
import { formatDay, formatMoment } from "@/lib/times";
import { Badge, type BadgeTone } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { CopyButton, copyText } from "@/ui/copy-button";
import { Countdown } from "@/ui/countdown";
import { MenuItem, MenuLink, MenuSeparator, RowMenu } from "@/ui/menu";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import { outcomeLabel, statusLabel } from "../lib/offer-status";

interface OfferRowProps {
  offer: Special;
  canEdit: boolean;
  onTest: (offer: Special) => void;
  onEdit: (offer: Special) => void;
  onDelete: (offer: Special) => void;
  onDeadline: () => void;
}

const tones: Record<string, BadgeTone> = { succeeded: "herb", deciding: "honey" };

/** One special: a table's row, or on a phone a row as high as its picture. */
export function OfferRow({ offer, canEdit, onTest, onEdit, onDelete, onDeadline }: OfferRowProps) {
  const addToMenu = useAddToMenu();
  const active = offer.status === "active";
  const outcome = outcomeLabel(offer);
  const regular = parseCents(offer.regularPrice) ?? 0;
  const special = parseCents(offer.specialOfferPrice) ?? 0;
  const saved = savings(regular, special);
  return (
    <tr className="special-row">
      <td className="special-what" data-label="Offer Details">
        <div className="flex gap-3">
          <div className="special-picture">
            <Picture url={offer.imageUrl} srcset={offer.imageSrcset} sizes="80px" alt="" />
          </div>
          <div className="min-w-0">
            <p className="special-name font-title leading-tight font-semibold">
              <a className="text-ink" href={`/restaurant/offers/${offer.id}`}>
                {offer.name}
              </a>
            </p>
            <p className="small muted">
              Served{" "}
              <time dateTime={offer.specialServeDate.slice(0, 10)}>
                {formatDay(offer.specialServeDate)}
              </time>
            </p>
            {offer.alternativeDishName && (
              <p className="special-wide small muted break-words">
                Alternative: {offer.alternativeDishName}
              </p>
            )}
          </div>
        </div>
      </td>
      <td className="special-wide" data-label="Pricing">
        <p className="price">
          <strong className="price-now">{formatDecimal(offer.specialOfferPrice)}</strong>
          <s className="price-was small">{formatDecimal(offer.regularPrice)}</s>
        </p>
        <p className="price-save whitespace-nowrap">Save {formatCents(saved.cents)}</p>
      </td>
      <td className="special-seats" data-label="Pre-Orders">
        <div className="special-wide">
          <Seats
            small
            filled={offer.currentPreorders}
            minimum={offer.minPreordersRequired}
            maximum={offer.maxPreorders}
            state={offer.seatsState}
            sentence={offer.seatsSentence}
          />
        </div>
        <p className="small muted tabular-nums">
          {offer.currentPreorders}/{offer.minPreordersRequired}
          <span className="special-wide"> pre-orders</span>
          <span className="card:hidden"> · {offer.seatsSentence}</span>
        </p>
      </td>
      <td className="special-state" data-label="Status">
        <Badge tone={active ? "active" : (tones[offer.seatsState] ?? "other")}>
          {outcome || statusLabel(offer)}
        </Badge>
        <p className="countdown small">
          {active && <Countdown deadline={offer.preorderExpiresAt} onZero={onDeadline} />}
          <time className="special-wide" dateTime={offer.preorderExpiresAt}>
            {formatMoment(offer.preorderExpiresAt, offer.timezone)}
          </time>
        </p>
      </td>
      <td className="special-wide" data-label="Share">
        {active && (
          <div className="cluster lg:flex-nowrap rhythm-1">
            <CopyButton
              size="small"
              text={offer.shareableUrl}
              label="Copy"
              accessibleLabel={`Copy the link to ${offer.name}`}
            />
            <ButtonLink
              size="small"
              variant="quiet"
              href={offer.shareableUrl}
              target="_blank"
              rel="noopener"
              aria-label={`Open the page of ${offer.name}`}
            >
              <ExternalLink size="1rem" strokeWidth={1.5} aria-hidden="true" />
            </ButtonLink>
          </div>
        )}
      </td>
      <td className="special-more" data-label="Actions">
        <RowMenu label={`Actions for ${offer.name}`}>
          {active && (
            <>
              <MenuItem icon={Copy} onSelect={() => void copyText(offer.shareableUrl)}>
                Copy link
              </MenuItem>
              <MenuItem icon={FlaskConical} onSelect={() => onTest(offer)}>
                Test order
              </MenuItem>
            </>
          )}
          <MenuLink icon={ExternalLink} href={offer.shareableUrl}>
            Guest page
          </MenuLink>
          {active && canEdit && (
            <>
              <MenuItem icon={Pencil} onSelect={() => onEdit(offer)}>
                Edit
              </MenuItem>
              <MenuSeparator />
              {offer.hasPreorders && (
                <MenuLink icon={CircleSlash} href={`/restaurant/offers/${offer.id}#cancel-offer`}>
                  Cancel this special
                </MenuLink>
              )}
              <MenuItem icon={Trash2} className="text-berry" onSelect={() => onDelete(offer)}>
                Delete
              </MenuItem>
            </>
          )}
          {!active && canEdit && (
            <MenuLink icon={RotateCcw} href={`/restaurant?again=${offer.id}`}>
              Run it again
            </MenuLink>
          )}
          {offer.wasSuccessful && canEdit && (
            <MenuItem icon={BookPlus} onSelect={() => addToMenu.mutate(offer.id)}>
              Add to menu
            </MenuItem>
          )}
        </RowMenu>
      </td>
    </tr>
  );
}
