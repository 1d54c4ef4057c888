const DAY = 86_400_000;

/** How many days each preset goes back, today included. */
export const presets = [7, 30, 90] as const;

/** The day ('YYYY-MM-DD') that is so many days after another one. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** The last `days` days up to `today`. */
export function lastDays(days: number, today: string): { from: string; to: string } {
  return { from: daysAfter(today, 1 - days), to: today };
}

/** Which preset a period is, or none. */
export function presetOf(from: string, to: string, today: string): number | undefined {
  return to === today ? presets.find((days) => lastDays(days, today).from === from) : undefined;
}

const withYear = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});
const short = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const noon = (day: string) => new Date(`${day}T12:00:00Z`);

/** 'Nov 26' */
export const dayName = (day: string) => short.format(noon(day));

/** 'Oct 24 – Nov 22, 2026' */
export function periodName({ first, last }: { first: string; last: string }): string {
  return withYear.formatRange(noon(first), noon(last)).replace(/\s–\s/, " – ");
}
