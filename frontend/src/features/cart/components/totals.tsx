import { gettext, interpolate } from "@/lib/i18n";
import { formatCents } from "@/lib/money";

interface SumsProps {
  subtotal: number;
  tax: number;
  total: number;
  /** Per cent. */
  taxRate: string;
}

/** Subtotal, tax and total in cents. */
export function Sums({ subtotal, tax, total, taxRate }: SumsProps) {
  return (
    <dl className="sum">
      <div>
        <dt>{gettext("Subtotal")}</dt>
        <dd>{formatCents(subtotal)}</dd>
      </div>
      <div>
        <dt>{interpolate(gettext("Tax (%s)"), [`${Number(taxRate)}%`])}</dt>
        <dd>{formatCents(tax)}</dd>
      </div>
      <div className="sum-total">
        <dt>{gettext("Total")}</dt>
        <dd>{formatCents(total)}</dd>
      </div>
    </dl>
  );
}
