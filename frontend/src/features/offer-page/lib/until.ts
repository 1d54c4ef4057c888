/** A moment as a datetime-local value on the restaurant's clock, to the minute. */
export function zonedInput(iso: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(iso));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

const HOUR = 3_600_000;

/** Some hours after the deadline, or the latest there may be when that is sooner. */
export function laterBy(hours: number, deadline: string, latest: string): string {
  const moment = Date.parse(deadline) + hours * HOUR;
  return new Date(Math.min(moment, Date.parse(latest))).toISOString();
}
