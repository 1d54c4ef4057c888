import { formatDecimal } from "@/lib/money";

export type Unit = "count" | "money" | "percent";

/** '1,240', '$1,240.00' or '12.5%'; a dash if there is no figure. */
export function formatFigure(value: number | string | null, unit: Unit): string {
  if (value === null) return "–";
  if (unit === "money") return formatDecimal(String(value));
  if (unit === "percent") return `${Number(value).toLocaleString("en-US")}%`;
  return Number(value).toLocaleString("en-US");
}

export interface Change {
  direction: "up" | "down" | "same";
  words: string;
}

/**
 * How a figure moved: relative for counts and money, in points for what is a percentage already.
 * None where there was nothing to compare with.
 */
export function changeOf(
  now: number | string | null,
  before: number | string | null,
  unit: Unit,
): Change | null {
  if (now === null || before === null) return null;
  const [to, from] = [Number(now), Number(before)];
  if (unit !== "percent" && from === 0) return null;
  const moved = unit === "percent" ? to - from : (100 * (to - from)) / Math.abs(from);
  const rounded = unit === "percent" ? Math.round(moved * 10) / 10 : Math.round(moved);
  if (rounded === 0) return { direction: "same", words: "no change" };
  const size = Math.abs(rounded).toLocaleString("en-US");
  const direction = rounded > 0 ? "up" : "down";
  return {
    direction,
    words: unit === "percent" ? `${size} points ${direction}` : `${size}% ${direction}`,
  };
}
