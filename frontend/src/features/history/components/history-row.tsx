import { BookPlus, RotateCcw } from "lucide-react";
import type { HistoryEntry } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatDate } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Picture } from "@/ui/picture";

/** Left out where a table is narrow and not yet cards. */
export const ROOMY = "card:max-lg:hidden";

interface HistoryRowProps {
  entry: HistoryEntry;
  timeZone: string;
  canEdit: boolean;
  adding: boolean;
  onAddToMenu: (offerId: string) => void;
  onRedeploy: (entry: HistoryEntry) => void;
}

/** One past special. */
export function HistoryRow({
  entry,
  timeZone,
  canEdit,
  adding,
  onAddToMenu,
  onRedeploy,
}: HistoryRowProps) {
  return (
    <tr>
      <td className="lead history-what" data-label="Name">
        <div className="flex gap-3">
          <div className="history-photo w-16 shrink-0 self-start overflow-hidden rounded-lg sm:max-lg:hidden">
            <Picture url={entry.imageUrl} srcset={entry.imageSrcset} sizes="64px" alt="" />
          </div>
          <div className="min-w-0">
            <p className="font-title leading-tight font-semibold wrap-anywhere">
              <a className="text-ink" href={`/restaurant/offers/${entry.id}`}>
                {entry.name}
              </a>
            </p>
            {entry.description && (
              <p className="small muted line-clamp-2 break-words max-lg:hidden">
                {entry.description}
              </p>
            )}
            {entry.alternativeDishName && (
              <p className="small muted break-words">Alternative: {entry.alternativeDishName}</p>
            )}
          </div>
        </div>
      </td>
      <td className="history-price" data-label="Price">
        <p className="price">
          <strong className="price-now">{formatDecimal(entry.specialOfferPrice)}</strong>
          <s className="price-was small">{formatDecimal(entry.regularPrice)}</s>
        </p>
      </td>
      <td className="history-count" data-label="Pre-orders">
        <div className="tabular-nums">
          <p>
            {entry.validPreorders} of {entry.minPreordersRequired}
            <span className="card:hidden"> pre-orders</span>
          </p>
          {entry.totalPreorders !== entry.validPreorders && (
            <p className="small muted whitespace-nowrap">{entry.totalPreorders} ordered</p>
          )}
        </div>
      </td>
      <td className="history-state" data-label="Status">
        <Outcome entry={entry} />
      </td>
      <td className="max-card:hidden" data-label="Created">
        <time dateTime={entry.createdAt} className="whitespace-nowrap">
          {formatDate(entry.createdAt, timeZone)}
        </time>
      </td>
      <td data-label="Serve date" className={`history-served ${ROOMY}`}>
        <span className="card:hidden">Served </span>
        <time dateTime={entry.specialServeDate.slice(0, 10)} className="whitespace-nowrap">
          {formatDate(entry.specialServeDate, timeZone)}
        </time>
      </td>
      {canEdit && (
        <td className="actions" data-label="Actions">
          <div className="row-actions">
            <Button
              size="small"
              aria-label={`Re-deploy ${entry.name}`}
              onClick={() => onRedeploy(entry)}
            >
              <RotateCcw size="1rem" strokeWidth={1.5} aria-hidden="true" />
              <span className={`whitespace-nowrap ${ROOMY}`}>Re-deploy</span>
            </Button>
            <Button
              size="small"
              variant="quiet"
              className="history-to-menu"
              aria-label={`Add to menu: ${entry.name}`}
              title="Add to menu"
              busy={adding}
              onClick={() => onAddToMenu(entry.id)}
            >
              {!adding && <BookPlus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />}
              <span className="row-action-label">Add to menu</span>
            </Button>
          </div>
        </td>
      )}
    </tr>
  );
}

/** One word: each of them says that the special has ended. */
function Outcome({ entry }: { entry: HistoryEntry }) {
  if (entry.status === "deleted") return <Badge tone="other">Deleted</Badge>;
  if (entry.wasSuccessful === null) return <Badge tone="honey">Settling</Badge>;
  if (entry.wasSuccessful) return <Badge tone="herb">Successful</Badge>;
  return <Badge tone="berry">Unsuccessful</Badge>;
}
