import { BookPlus, ExternalLink, FlaskConical, Pencil, Trash2 } from "lucide-react";
import { useAddToMenu } from "@/api/add-to-menu";
import type { Special } from "@/api/types";
import { formatCents, formatDecimal, parseCents, savings } from "@/lib/money";
import { formatDay, formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Countdown } from "@/ui/countdown";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import { statusLabel } from "../lib/offer-status";

interface OfferRowProps {
  offer: Special;
  canEdit: boolean;
  deleting: boolean;
  onTest: (offer: Special) => void;
  onEdit: (offer: Special) => void;
  onDelete: (offer: Special) => void;
  onDeadline: () => void;
}

/** One offer: a table row, or a card under 720 px. */
export function OfferRow({
  offer,
  canEdit,
  deleting,
  onTest,
  onEdit,
  onDelete,
  onDeadline,
}: OfferRowProps) {
  const addToMenu = useAddToMenu();
  const active = offer.status === "active";
  const regular = parseCents(offer.regularPrice) ?? 0;
  const special = parseCents(offer.specialOfferPrice) ?? 0;
  const saved = savings(regular, special);
  return (
    <tr>
      <td className="lead" data-label="Offer Details">
        <div className="flex gap-3">
          <div className="w-20 shrink-0 self-start overflow-hidden rounded-lg sm:max-lg:hidden">
            <Picture url={offer.imageUrl} srcset={offer.imageSrcset} sizes="80px" alt="" />
          </div>
          <div className="min-w-0">
            <p className="font-title leading-tight font-semibold break-words">
              <a className="text-ink" href={`/restaurant/offers/${offer.id}`}>
                {offer.name}
              </a>
            </p>
            <p className="small muted line-clamp-2 break-words sm:max-lg:hidden">
              {offer.description}
            </p>
            <p className="small mt-1">
              Serve date{" "}
              <time dateTime={offer.specialServeDate.slice(0, 10)}>
                {formatDay(offer.specialServeDate)}
              </time>
            </p>
            {offer.alternativeDishName && (
              <p className="small muted break-words">Alternative: {offer.alternativeDishName}</p>
            )}
          </div>
        </div>
      </td>
      <td data-label="Pricing">
        <div>
          <p className="price">
            <strong className="price-now">{formatDecimal(offer.specialOfferPrice)}</strong>
            <s className="price-was small">{formatDecimal(offer.regularPrice)}</s>
          </p>
          <p className="price-save whitespace-nowrap">Save {formatCents(saved.cents)}</p>
        </div>
      </td>
      <td data-label="Pre-Orders">
        <div className="grid gap-1 lg:min-w-44">
          <Seats
            small
            filled={offer.currentPreorders}
            minimum={offer.minPreordersRequired}
            maximum={offer.maxPreorders}
            state={offer.seatsState}
            sentence={offer.seatsSentence}
          />
          <p className="small muted tabular-nums">
            {offer.currentPreorders}/{offer.minPreordersRequired} pre-orders
          </p>
        </div>
      </td>
      <td data-label="Status">
        <div className="grid justify-items-start gap-1">
          <Badge tone={active ? "active" : "other"}>{statusLabel(offer)}</Badge>
          <p className="countdown small">
            {active && <Countdown deadline={offer.preorderExpiresAt} onZero={onDeadline} />}
            <time dateTime={offer.preorderExpiresAt}>
              {formatMoment(offer.preorderExpiresAt, offer.timezone)}
            </time>
          </p>
        </div>
      </td>
      <td data-label="Share">
        <div className="grid gap-1">
          <p className="small muted max-w-40 truncate sm:max-lg:hidden" title={offer.shareableUrl}>
            {offer.shareableUrl.replace(/^https?:\/\//, "")}
          </p>
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
              <ExternalLink size={16} strokeWidth={1.5} aria-hidden="true" />
            </ButtonLink>
          </div>
        </div>
      </td>
      <td className="actions" data-label="Actions">
        {active && (
          <div className="row-actions">
            <Button
              size="small"
              variant="quiet"
              aria-label={`Test order: ${offer.name}`}
              title="Test order"
              onClick={() => onTest(offer)}
            >
              <FlaskConical size={18} strokeWidth={1.5} aria-hidden="true" />
              <span className="row-action-label">Test order</span>
            </Button>
            {canEdit && (
              <>
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`Edit ${offer.name}`}
                  title="Edit"
                  onClick={() => onEdit(offer)}
                >
                  <Pencil size={18} strokeWidth={1.5} aria-hidden="true" />
                  <span className="row-action-label">Edit</span>
                </Button>
                <Button
                  size="small"
                  variant="quiet"
                  className="text-berry"
                  aria-label={`Delete ${offer.name}`}
                  title="Delete"
                  busy={deleting}
                  onClick={() => onDelete(offer)}
                >
                  {!deleting && <Trash2 size={18} strokeWidth={1.5} aria-hidden="true" />}
                  <span className="row-action-label">Delete</span>
                </Button>
              </>
            )}
          </div>
        )}
        {offer.wasSuccessful && canEdit && (
          <div className="row-actions">
            <Button
              size="small"
              variant="quiet"
              aria-label={`Add to menu: ${offer.name}`}
              title="Add to menu"
              busy={addToMenu.isPending}
              onClick={() => addToMenu.mutate(offer.id)}
            >
              {!addToMenu.isPending && <BookPlus size={18} strokeWidth={1.5} aria-hidden="true" />}
              <span className="row-action-label">Add to menu</span>
            </Button>
          </div>
        )}
      </td>
    </tr>
  );
}
