import { mergeEdits } from "@/lib/merge-edits";

/** Opening hours as the API has them: by weekday, in the restaurant's clock. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof weekdays)[number];

/** From `opens` to `closes`, each '17:00'; past midnight when it closes before it opens. */
export interface Span {
  opens: string;
  closes: string;
}
export type Week = Partial<Record<Weekday, Span[]>>;

/** As many as the server takes for one day. */
export const MOST_SPANS = 4;
const FIRST_SPAN: Span = { opens: "11:00", closes: "22:00" };
const MINUTES_A_DAY = 24 * 60;

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const clock = (total: number) =>
  [Math.floor(total / 60) % 24, total % 60].map((part) => String(part).padStart(2, "0")).join(":");

export const dayName = (day: Weekday) => day.charAt(0).toUpperCase() + day.slice(1);

/** The hours as a week, or null when the owner has written them in words. */
export function asWeek(hours: unknown): Week | null {
  if (typeof hours === "string") return null;
  return typeof hours === "object" && hours !== null ? (hours as Week) : {};
}

/** What is wrong with one day's hours, in a sentence; undefined when nothing is. */
export function dayError(day: Weekday, spans: Span[]): string | undefined {
  const name = dayName(day);
  if (spans.some(({ opens, closes }) => !opens || !closes)) {
    return `Enter both times for ${name}, such as 11:30 and 22:00.`;
  }
  if (spans.some(({ opens, closes }) => opens === closes)) {
    return `${name} opens and closes at the same time. Change one of them.`;
  }
  let ends = -1;
  for (const span of [...spans].sort((a, b) => a.opens.localeCompare(b.opens))) {
    if (minutes(span.opens) < ends) return `The hours for ${name} overlap. Change one of them.`;
    const closes = minutes(span.closes);
    ends = closes > minutes(span.opens) ? closes : closes + MINUTES_A_DAY;
  }
  return undefined;
}

/** The first error of a week. */
export function weekError(week: Week): string | undefined {
  for (const day of weekdays) {
    const error = dayError(day, week[day] ?? []);
    if (error) return error;
  }
  return undefined;
}

/** A day's hours with one more span: two hours after the last one, empty when it is too late. */
export function withOneMore(spans: Span[]): Span[] {
  const last = spans.at(-1);
  if (!last) return [FIRST_SPAN];
  const opens = last.closes > last.opens ? minutes(last.closes) + 120 : MINUTES_A_DAY;
  const closes = opens + 240;
  const fits = closes < MINUTES_A_DAY;
  return [
    ...spans,
    fits ? { opens: clock(opens), closes: clock(closes) } : { opens: "", closes: "" },
  ];
}

/** The week with this day's hours; a day without any is left out, as the server keeps it. */
export function withDay(week: Week, day: Weekday, spans: Span[]): Week {
  const { [day]: _, ...others } = week;
  return spans.length > 0 ? { ...others, [day]: spans } : others;
}

/** The week with one day's hours on every day. */
export function likeOn(week: Week, day: Weekday): Week {
  const spans = week[day] ?? [];
  return Object.fromEntries(weekdays.map((each) => [each, spans.map((span) => ({ ...span }))]));
}

/** Two edits of one week, day by day; null where both changed a day, each to something else. */
export function mergeWeeks(base: Week, theirs: Week, mine: Week): Week | null {
  const { values, contested } = mergeEdits(everyDay(base), everyDay(theirs), everyDay(mine));
  if (contested.length > 0) return null;
  return weekdays.reduce<Week>((week, day) => withDay(week, day, values[day]), {});
}

const everyDay = (week: Week) =>
  Object.fromEntries(weekdays.map((day) => [day, week[day] ?? []])) as Record<Weekday, Span[]>;

/** A week for a person: its open days with their hours. */
export function weekWords(week: Week): string {
  const open = weekdays.filter((day) => week[day]?.length);
  const hours = (spans: Span[]) => spans.map((span) => `${span.opens}–${span.closes}`).join(", ");
  return open.map((day) => `${dayName(day)} ${hours(week[day] ?? [])}`).join("; ") || "Closed";
}
