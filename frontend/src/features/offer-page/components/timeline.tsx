import { lazy, Suspense, useState } from "react";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import type { TimelineProps } from "../types";

const TimelineChart = lazy(() =>
  import("./timeline-chart").then((module) => ({ default: module.TimelineChart })),
);

/** How the seats filled, as a chart and as a table. */
export function TimelineCard(props: TimelineProps) {
  const { timeline, special, timeZone } = props;
  const [asTable, setAsTable] = useState(false);
  const last = timeline.points.at(-1);
  return (
    <section className="card" aria-labelledby="timeline-title">
      <div className="card-body stack">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="timeline-title">
            {special.isActive ? "How seats are filling" : "How seats filled"}
          </h2>
          <Button
            size="small"
            variant="quiet"
            className="-mx-3"
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? "Show chart" : "Show table"}
          </Button>
        </div>
        {asTable ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section className="max-h-80 overflow-auto" tabIndex={0} aria-label="Steps">
            <table className="offer-steps">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Portions ordered</th>
                  <th scope="col">Minimum</th>
                </tr>
              </thead>
              <tbody>
                {timeline.points.map((point) => (
                  <tr key={point.at}>
                    <td>{formatMoment(point.at, timeZone)}</td>
                    <td>{point.portions}</td>
                    <td>{point.minimum}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ) : (
          <figure>
            <Suspense fallback={<div className="skeleton h-64" />}>
              <TimelineChart {...props} />
            </Suspense>
            <figcaption className="small muted mt-2">
              {last?.portions ?? 0} {last?.portions === 1 ? "portion" : "portions"} ordered, minimum{" "}
              {special.minPreordersRequired}
              {special.maxPreorders !== null && `, maximum ${special.maxPreorders}`}. Closes{" "}
              {formatMoment(special.preorderExpiresAt, timeZone)}.
            </figcaption>
          </figure>
        )}
      </div>
    </section>
  );
}
