import { lazy, Suspense, useId, useState } from "react";
import type { Analytics } from "@/api/types";
import { Button } from "@/ui/button";
import { formatFigure, type Unit } from "../lib/changes";
import { dayName } from "../lib/periods";

const SeriesChart = lazy(() => import("./series-chart"));

interface ChartCardProps {
  title: string;
  analytics: Analytics;
  figure: "views" | "orders" | "revenue";
  unit: Unit;
  kind: "area" | "bars";
  tone: "accent" | "herb" | "honey";
}

/** A figure over time, drawn or as a table. */
export function ChartCard({ title, analytics, figure, unit, kind, tone }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const weekly = analytics.unit === "week";
  const total = formatFigure(analytics.totals.figures[figure], unit);
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-body stack rhythm-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id={id} className="text-[length:var(--text-title-3)]">
            {title}
          </h2>
          <Button
            size="small"
            variant="quiet"
            className="-mr-2"
            aria-label={`${asTable ? "Show chart" : "Show table"}: ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? "Show chart" : "Show table"}
          </Button>
        </div>
        <p className="visually-hidden">
          {total} in all, by the {analytics.unit}.
        </p>
        {asTable ? (
          <section
            className="max-h-[13rem] overflow-y-auto"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
            tabIndex={0}
            aria-label={`${title} by the ${analytics.unit}`}
          >
            <table className="w-full text-left tabular-nums">
              <thead>
                <tr className="small muted">
                  <th scope="col">{weekly ? "Week from" : "Day"}</th>
                  <th scope="col" className="pr-3 text-right">
                    {title}
                  </th>
                </tr>
              </thead>
              <tbody>
                {analytics.series.map(({ start, figures }) => (
                  <tr key={start} className="border-t border-line">
                    <th scope="row" className="py-1.5 font-normal">
                      {dayName(start)}
                    </th>
                    <td className="pr-3 text-right">{formatFigure(figures[figure], unit)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ) : (
          <Suspense fallback={<span className="skeleton h-52 w-full" />}>
            <SeriesChart
              points={analytics.series.map(({ start, figures }) => ({
                start,
                value: Number(figures[figure]),
              }))}
              unit={unit}
              kind={kind}
              tone={tone}
              weekly={weekly}
            />
          </Suspense>
        )}
      </div>
    </section>
  );
}
