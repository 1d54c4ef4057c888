import { type Control, useWatch } from "react-hook-form";
import { formatCents, parseCents, savings } from "@/lib/money";
import { formatDay, formatMoment, zonedMoment } from "@/lib/times";
import { Picture } from "@/ui/picture";
import { Seats } from "@/ui/seats";
import type { OfferFormValues } from "../lib/offer-schema";

interface OfferPreviewProps {
  control: Control<OfferFormValues>;
  /** The chosen file before it has an address. */
  localPicture: string | null;
  filled: number;
  timeZone: string;
}

/** The offer as guests will see it, while it is being written. */
export function OfferPreview({ control, localPicture, filled, timeZone }: OfferPreviewProps) {
  const values = useWatch({ control });
  const regular = parseCents(values.price ?? "") ?? 0;
  const special = parseCents(values.specialOfferPrice ?? "") ?? 0;
  const saved = special > 0 && special < regular ? savings(regular, special) : null;
  const minimum = Math.min(Math.max(1, Number(values.minPreordersRequired) || 1), 9999);
  const cap = Number(values.maxPreorders) || 0;
  const missing = Math.max(0, minimum - filled);
  const deadline = zonedMoment(values.preorderExpiresAt ?? "", timeZone).getTime();
  return (
    <section aria-label="Preview" className="stack">
      <p className="eyebrow">What guests will see</p>
      <article className="card">
        <Picture url={localPicture ?? values.imageUrl ?? null} alt="" />
        <div className="card-body stack rhythm-3">
          <h3>{values.name?.trim() || "Dish name"}</h3>
          <p className="price">
            <strong className="price-now">{formatCents(special || regular)}</strong>
            {saved && (
              <>
                <s className="price-was">{formatCents(regular)}</s>
                <span className="price-save">Save {saved.percent}%</span>
              </>
            )}
          </p>
          <Seats
            filled={filled}
            minimum={minimum}
            maximum={cap >= minimum ? cap : null}
            state={missing > 0 ? "open" : "on"}
            sentence={missing > 0 ? `${missing} more and it's on` : "It's on"}
          />
          {values.description?.trim() && (
            <p className="small muted line-clamp-3 break-words">{values.description}</p>
          )}
          <p className="small">
            {values.specialServeDate && <>Served {formatDay(values.specialServeDate)}. </>}
            {!Number.isNaN(deadline) && (
              <>
                No charge today. We'll charge your card on{" "}
                {formatMoment(new Date(deadline).toISOString(), timeZone)} if {minimum}{" "}
                {minimum === 1 ? "portion is" : "portions are"} ordered. If not, you pay nothing.
              </>
            )}
          </p>
        </div>
      </article>
    </section>
  );
}
