import type { OfferChange, Timeline } from "@/api/types";

export interface ChartPoint {
  time: number;
  /** Null where no one knows yet. */
  portions: number | null;
  minimum: number;
}

/**
 * The steps as numbers, up to the end of the timeline; from there to a `deadline` in the future,
 * only the minimum is known.
 */
export function chartPoints(timeline: Timeline, deadline?: string): ChartPoint[] {
  const points: ChartPoint[] = timeline.points.map(({ at, portions, minimum }) => ({
    time: Date.parse(at),
    portions,
    minimum,
  }));
  const last = points.at(-1);
  const end = Date.parse(timeline.endsAt);
  if (last && end > last.time) points.push({ ...last, time: end });
  const ahead = deadline ? Date.parse(deadline) : 0;
  if (last && ahead > end) {
    points.push(
      { time: end, portions: null, minimum: last.minimum },
      { time: ahead, portions: null, minimum: last.minimum },
    );
  }
  return points;
}

/** The highest value in the chart: what is ordered, needed, or allowed, and some space. */
export function chartTop(points: ChartPoint[], maximum: number | null): number {
  const highest = Math.max(
    maximum ?? 0,
    ...points.map(({ portions, minimum }) => Math.max(portions ?? 0, minimum)),
  );
  return Math.max(4, Math.ceil(highest * 1.1));
}

/** The changes within the time drawn, the oldest first and numbered from 1. */
export function chartMarks(changes: OfferChange[], from: number, to: number) {
  return changes
    .map(({ at, detail }) => ({ time: Date.parse(at), detail }))
    .filter(({ time }) => time >= from && time <= to)
    .sort((one, other) => one.time - other.time)
    .map((mark, index) => ({ ...mark, number: index + 1 }));
}

/**
 * A few moments between two, each with a label. They needn't be whole hours or days in the
 * restaurant's zone, because the axis only shows the course.
 */
export function chartTicks(
  from: number,
  to: number,
  most: number,
  label: (time: number) => string,
): number[] {
  const step = (to - from) / most;
  const all = Array.from({ length: most + 1 }, (_, index) => Math.round(from + index * step));
  return all.filter((time, index) => index === 0 || label(time) !== label(all[index - 1] ?? 0));
}
