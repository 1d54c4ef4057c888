import { gettext, interpolate } from "@/lib/i18n";
import { formatCents } from "@/lib/money";

interface SumsProps {
  subtotal: number;
  tax: number;
  total: number;
  /** Per cent. */
  taxRate: string;
}

/** What the items, each with its tax, add up to, and below it how much of that is tax. In cents. */
export function Sums({ subtotal, tax, total, taxRate }: SumsProps) {
  return (
    <dl className="sum cart-sums">
      <div className="sum-total">
        <dt>
          {gettext("Total")}{" "}
          <span className="small muted font-normal">{gettext("Tip not included")}</span>
        </dt>
        <dd>{formatCents(total)}</dd>
      </div>
      <div className="small muted py-0">
        <dt>{gettext("Subtotal")}</dt>
        <dd>{formatCents(subtotal)}</dd>
      </div>
      <div className="small muted py-0">
        <dt>{interpolate(gettext("Tax (%s)"), [`${Number(taxRate)}%`])}</dt>
        <dd>{formatCents(tax)}</dd>
      </div>
    </dl>
  );
}
