import type { Analytics } from "@/api/types";
import { formatDate } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { formatFigure } from "../lib/changes";

/** Each special with anything in the period, the highest revenue first. */
export function OfferTable({ analytics }: { analytics: Analytics }) {
  return (
    <section aria-labelledby="by-special" className="stack">
      <h2 id="by-special">By special</h2>
      <div className="table-frame">
        <table className="table-cards">
          <thead>
            <tr>
              <th scope="col">Special</th>
              {["Visits", "Orders", "Portions", "Conversion", "Revenue", "Payout"].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {analytics.offers.map(({ id, name, serveDate, wasSuccessful, figures }) => (
              <tr key={id}>
                <td className="lead" data-label="Special">
                  <p className="font-title leading-tight font-semibold break-words">{name}</p>
                  <div className="small muted mt-1 flex flex-wrap items-center gap-2">
                    {formatDate(`${serveDate}T12:00:00Z`, "UTC")}
                    {wasSuccessful === true && <Badge tone="herb">Went ahead</Badge>}
                    {wasSuccessful === false && <Badge tone="berry">Didn't go ahead</Badge>}
                  </div>
                </td>
                <td className="number" data-label="Visits">
                  {formatFigure(figures.views, "count")}
                </td>
                <td className="number" data-label="Orders">
                  {formatFigure(figures.orders, "count")}
                </td>
                <td className="number" data-label="Portions">
                  {formatFigure(figures.portions, "count")}
                </td>
                <td className="number" data-label="Conversion">
                  {formatFigure(figures.conversion, "percent")}
                </td>
                <td className="number" data-label="Revenue">
                  {formatFigure(figures.revenue, "money")}
                </td>
                <td className="number" data-label="Payout">
                  {formatFigure(figures.payout, "money")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {analytics.offersLeftOut > 0 && (
        <p className="small muted">
          {formatFigure(analytics.offersLeftOut, "count")} more specials with less revenue are
          included in the totals. Choose a shorter period to see them.
        </p>
      )}
    </section>
  );
}
