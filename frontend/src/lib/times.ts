import { pageLanguage } from "./i18n";

const isSpanish = () => pageLanguage().startsWith("es");
const locale = () => (isSpanish() ? "es-US" : "en-US");

/** 'mar, 24 de nov' as the server writes short days: 'mar 24 nov'. */
const shortSpanish = (text: string) => text.replace(", ", " ").replace(" de ", " ");

/**
 * 'Tue, Nov 24, 6:00 PM EST' or 'mar 24 nov, 6:00 p. m. EST': a moment in the
 * restaurant's zone, as the server writes short ones; the time stays on one line.
 */
export function formatMoment(iso: string, timeZone?: string): string {
  const text = new Intl.DateTimeFormat(locale(), {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).format(new Date(iso));
  if (!isSpanish()) return text.replace(/(\d)\s([AP]M)\s/, "$1\u00a0$2\u00a0");
  return shortSpanish(text).replace(/(\d)\s([ap])\.\s?m\.\s/, "$1\u00a0$2.\u00a0m.\u00a0");
}

/** 'Thu, Nov 26' or 'jue 26 nov', from 'YYYY-MM-DD' or a moment that begins with it. */
export function formatDay(day: string): string {
  const text = new Intl.DateTimeFormat(locale(), {
    weekday: "short",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
  return isSpanish() ? shortSpanish(text) : text;
}

/** 'Nov 26, 2026': a moment's day in a zone, for what may be years ago. */
export function formatDate(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-US", {
    month: "short",
    day: "numeric",
    year: "numeric",
    timeZone,
  }).format(new Date(iso));
}

/** A moment as the value of a datetime-local input on a zone's clock, to the minute. */
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

/**
 * The moment at which a zone's clock shows `wall` ('YYYY-MM-DDTHH:mm'); an invalid date if `wall`
 * isn't a time. For an hour that the clock shows twice, it is one of the two; an hour that the
 * clock skips becomes the nearest one.
 */
export function zonedMoment(wall: string, timeZone: string): Date {
  const utc = new Date(`${wall}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(wall) || Number.isNaN(utc.getTime())) {
    return new Date(Number.NaN);
  }
  // Around a clock change, the offset at the guess can differ from the one at the moment itself.
  const guess = new Date(`${wall}${offsetAt(utc, timeZone)}`);
  return new Date(`${wall}${offsetAt(guess, timeZone)}`);
}

/** The zone's offset from UTC at a moment, such as '-05:00'. */
function offsetAt(date: Date, timeZone: string): string {
  const name = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(date)
    .find((part) => part.type === "timeZoneName")?.value;
  return /[+-]\d\d:\d\d/.exec(name ?? "")?.[0] ?? "+00:00";
}

/** Noon of a day at the restaurant, with its offset: how a serve date is sent. */
export function noonAt(day: string, timeZone: string): string {
  return `${day}T12:00:00${offsetAt(new Date(`${day}T12:00:00Z`), timeZone)}`;
}

/** The date ('YYYY-MM-DD') in a zone, now or at another moment. */
export function todayIn(timeZone: string, now: Date = new Date()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}

/** The day so many days after a day ('YYYY-MM-DD'); before it, when `count` is negative. */
export function addDays(day: string, count: number): string {
  const other = new Date(`${day}T12:00:00Z`);
  other.setUTCDate(other.getUTCDate() + count);
  return other.toISOString().slice(0, 10);
}

/** The day after a day ('YYYY-MM-DD'). */
export function dayAfter(day: string): string {
  return addDays(day, 1);
}

/** The zone of this device's clock. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** 'EST': a zone's short name at a moment. */
export function zoneName(timeZone: string, date: Date): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeZoneName: "short",
  }).formatToParts(date);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? timeZone;
}
