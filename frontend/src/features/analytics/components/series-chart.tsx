import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { pageCurrency } from "@/lib/money";
import { formatFigure, type Unit } from "../lib/changes";
import { dayName } from "../lib/periods";

interface Point {
  start: string;
  value: number;
}

interface SeriesChartProps {
  points: Point[];
  unit: Unit;
  /** A flow of people, or amounts of a day. */
  kind: "area" | "bars";
  tone: "accent" | "herb" | "honey";
  /** Each point is a week from its day on. */
  weekly: boolean;
}

const axis = { stroke: "var(--control-line)", tick: { fill: "var(--muted)", fontSize: 12 } };
const compact = new Intl.NumberFormat("en-US", { notation: "compact" });

const money = new Intl.NumberFormat("en-US", {
  notation: "compact",
  style: "currency",
  currency: pageCurrency(),
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
});

/** One figure over time. Its table says the same to those who do not see it. */
export default function SeriesChart({ points, unit, kind, tone, weekly }: SeriesChartProps) {
  const color = `var(--${tone})`;
  const parts = [
    <CartesianGrid key="grid" vertical={false} stroke="var(--line)" />,
    <XAxis
      key="x"
      {...axis}
      dataKey="start"
      tickFormatter={dayName}
      tickLine={false}
      minTickGap={40}
    />,
    <YAxis
      key="y"
      {...axis}
      width={44}
      allowDecimals={unit === "money"}
      tickFormatter={(value: number) => (unit === "money" ? money : compact).format(value)}
      tickLine={false}
      axisLine={false}
    />,
    <Tooltip
      key="tip"
      isAnimationActive={false}
      cursor={{ fill: "var(--sunken)", stroke: "var(--line)" }}
      content={({ active, payload }) => {
        const point = payload?.[0]?.payload as Point | undefined;
        if (!active || !point) return null;
        return (
          <div className="small grid rounded-lg border border-line bg-surface px-3 py-2 shadow-[var(--shadow)]">
            <strong className="tabular-nums">
              {formatFigure(point.value.toFixed(unit === "money" ? 2 : 0), unit)}
            </strong>
            <span className="muted">
              {weekly && "Week from "}
              {dayName(point.start)}
            </span>
          </div>
        );
      }}
    />,
  ];
  const margin = { top: 8, right: 8, bottom: 0, left: 0 };
  return (
    <div aria-hidden="true">
      <ResponsiveContainer width="100%" height={208}>
        {kind === "area" ? (
          <AreaChart data={points} margin={margin} accessibilityLayer={false}>
            {parts}
            <Area
              dataKey="value"
              type="monotone"
              stroke={color}
              strokeWidth={2.5}
              fill={color}
              fillOpacity={0.14}
              dot={points.length === 1}
              activeDot={{ r: 4, fill: color, stroke: "var(--surface)" }}
              isAnimationActive={false}
            />
          </AreaChart>
        ) : (
          <BarChart data={points} margin={margin} accessibilityLayer={false}>
            {parts}
            <Bar
              dataKey="value"
              fill={color}
              radius={[3, 3, 0, 0]}
              maxBarSize={28}
              isAnimationActive={false}
            />
          </BarChart>
        )}
      </ResponsiveContainer>
    </div>
  );
}
