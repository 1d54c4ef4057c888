import { gettext } from "./i18n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** With less time left than this, an offer counts as close to its deadline. */
export const NEAR_DEADLINE = 24 * HOUR;

/**
 * Time left in the four forms of the specification: 'Nd Nh Nm', 'Nh Nm', 'Nm', 'Expired'.
 * The last minute reads '1m' to the end, so that a deadline never shows '0m' while it is open.
 */
export function formatTimeLeft(milliseconds: number): string {
  if (milliseconds <= 0) return gettext("Expired");
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  if (days > 0) return `${days}d ${hours}h ${minutes}m`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return `${Math.max(1, minutes)}m`;
}

/** Milliseconds until the text can change: a minute, or a second once the last minute runs. */
export function nextTick(milliseconds: number): number {
  if (milliseconds <= 0) return Number.POSITIVE_INFINITY;
  return milliseconds <= MINUTE ? 1000 : MINUTE;
}
