import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatMoment } from "@/lib/times";
import { type ChartPoint, chartMarks, chartPoints, chartTicks, chartTop } from "../lib/chart-data";
import type { TimelineProps } from "../types";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const axis = { stroke: "var(--control-line)", tick: { fill: "var(--muted)", fontSize: 12 } };

/** Portions over time as steps, beside the minimum and the maximum of the time. */
export function TimelineChart({ timeline, special, changes, timeZone }: TimelineProps) {
  const points = chartPoints(timeline, special.isActive ? special.preorderExpiresAt : undefined);
  const from = points[0]?.time ?? 0;
  const deadline = Date.parse(special.preorderExpiresAt);
  const to = Math.max(deadline, points.at(-1)?.time ?? 0);
  const marks = chartMarks(changes, from, to);
  const short = new Intl.DateTimeFormat("en-US", {
    ...labelStyle(to - from),
    timeZone,
  });
  const label = (time: number) => short.format(time);
  return (
    <div aria-hidden="true">
      <ResponsiveContainer width="100%" height={256}>
        <LineChart
          accessibilityLayer={false}
          data={points}
          margin={{ top: 18, right: 12, bottom: 0, left: -18 }}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            {...axis}
            dataKey="time"
            type="number"
            scale="time"
            domain={[from, to]}
            ticks={chartTicks(from, to, 4, label)}
            tickFormatter={label}
            tickLine={false}
            minTickGap={24}
          />
          <YAxis
            {...axis}
            domain={[0, chartTop(points, special.maxPreorders)]}
            allowDecimals={false}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            isAnimationActive={false}
            content={({ active, payload }) => {
              const point = payload?.[0]?.payload as ChartPoint | undefined;
              if (!active || point?.portions == null) return null;
              return (
                <div className="offer-tip small">
                  <strong>
                    {point.portions} ordered, minimum {point.minimum}
                  </strong>
                  <span className="muted">
                    {formatMoment(new Date(point.time).toISOString(), timeZone)}
                  </span>
                </div>
              );
            }}
          />
          {special.maxPreorders !== null && (
            <ReferenceLine
              y={special.maxPreorders}
              stroke="var(--muted)"
              strokeDasharray="2 4"
              label={{
                value: "Sold out",
                position: "insideTopLeft",
                fill: "var(--muted)",
                fontSize: 12,
              }}
            />
          )}
          <ReferenceLine
            x={deadline}
            stroke="var(--honey)"
            label={{
              value: "Deadline",
              position: "top",
              textAnchor: "end",
              fill: "var(--honey)",
              fontSize: 12,
            }}
          />
          {marks.map((mark) => (
            <ReferenceLine
              key={mark.number}
              x={mark.time}
              stroke="var(--control-line)"
              strokeDasharray="4 3"
              label={{
                value: String(mark.number),
                position: "top",
                fill: "var(--ink)",
                fontSize: 12,
              }}
            />
          ))}
          <Line
            dataKey="minimum"
            type="stepAfter"
            stroke="var(--herb)"
            strokeWidth={1.5}
            strokeDasharray="6 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
          <Line
            dataKey="portions"
            type="stepAfter"
            stroke="var(--accent)"
            strokeWidth={2.5}
            dot={false}
            activeDot={{ r: 4, fill: "var(--accent)", stroke: "var(--surface)" }}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
      <ul className="offer-legend small muted">
        <li>
          <span className="bg-accent" />
          Portions ordered
        </li>
        <li>
          <span className="bg-herb" />
          Minimum
        </li>
        {marks.map((mark) => (
          <li key={mark.number}>
            <strong>{mark.number}</strong>
            {mark.detail}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What distinguishes the labels of an axis of this length. */
function labelStyle(length: number): Intl.DateTimeFormatOptions {
  if (length < 8 * HOUR) return { hour: "numeric", minute: "2-digit" };
  if (length < 2 * DAY) return { weekday: "short", hour: "numeric" };
  return { month: "short", day: "numeric" };
}
