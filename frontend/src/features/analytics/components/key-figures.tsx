import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import type { Analytics } from "@/api/types";
import { type Change, changeOf, formatFigure, type Unit } from "../lib/changes";

interface KeyFigure {
  label: string;
  now: number | string | null;
  before: number | string | null;
  unit: Unit;
  /** What the figure is made of. */
  detail: string;
}

function keyFigures({ totals, before }: Analytics): KeyFigure[] {
  const [now, then] = [totals.figures, before.figures];
  const figure = (
    label: string,
    name: "views" | "orders" | "conversion" | "revenue" | "payout",
    unit: Unit,
    detail: string,
  ): KeyFigure => ({ label, now: now[name], before: then[name], unit, detail });
  return [
    figure("Visits", "views", "count", "on open specials"),
    figure("Orders", "orders", "count", `${formatFigure(now.portions, "count")} portions`),
    figure("Conversion", "conversion", "percent", "online orders per 100 visits"),
    figure("Revenue", "revenue", "money", "charged, minus refunds"),
    figure("Payout", "payout", "money", "after all fees"),
    {
      label: "Success rate",
      now: totals.successRate,
      before: before.successRate,
      unit: "percent",
      detail: `${totals.successfulOffers} of ${totals.decidedOffers} specials went ahead`,
    },
    {
      label: "Guests",
      now: totals.guests,
      before: before.guests,
      unit: "count",
      detail: "people who ordered",
    },
    {
      label: "Repeat guests",
      now: totals.repeatRate,
      before: before.repeatRate,
      unit: "percent",
      detail: `${totals.repeatGuests} of ${totals.guests} had ordered before`,
    },
  ];
}

/** The period in eight figures, each compared with the period before. */
export function KeyFigures({ analytics }: { analytics: Analytics }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4">
      {keyFigures(analytics).map(({ label, now, before, unit, detail }) => (
        <div key={label} className="flex flex-col bg-surface p-3 sm:p-4">
          <dt className="small muted font-semibold">{label}</dt>
          <dd className="text-[length:var(--text-title-2)] leading-tight font-bold tabular-nums">
            {formatFigure(now, unit)}
          </dd>
          <dd className="muted text-[0.8125rem] leading-snug">{detail}</dd>
          <ChangeMark change={changeOf(now, before, unit)} />
        </div>
      ))}
    </dl>
  );
}

function ChangeMark({ change }: { change: Change | null }) {
  if (!change) return null;
  const { direction, words } = change;
  const Arrow =
    direction === "up" ? ArrowUpRight : direction === "down" ? ArrowDownRight : ArrowRight;
  const tone =
    direction === "up" ? "text-herb" : direction === "down" ? "text-berry" : "text-muted";
  return (
    <dd className={`small mt-1 flex items-center gap-1 font-semibold ${tone}`}>
      <Arrow size="1rem" strokeWidth={2} aria-hidden="true" />
      {words}
    </dd>
  );
}
