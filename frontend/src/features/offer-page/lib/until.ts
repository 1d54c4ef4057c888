const HOUR = 3_600_000;

/** Some hours after the deadline, or the latest there may be when that is sooner. */
export function laterBy(hours: number, deadline: string, latest: string): string {
  const moment = Date.parse(deadline) + hours * HOUR;
  return new Date(Math.min(moment, Date.parse(latest))).toISOString();
}
