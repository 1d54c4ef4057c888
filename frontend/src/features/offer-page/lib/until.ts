const HOUR = 3_600_000;

/** Some hours after the deadline, but no later than the latest possible one. */
export function laterBy(hours: number, deadline: string, latest: string): string {
  const moment = Date.parse(deadline) + hours * HOUR;
  return new Date(Math.min(moment, Date.parse(latest))).toISOString();
}
