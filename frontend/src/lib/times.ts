import { pageLanguage } from "./i18n";

const pad = (number: number) => String(number).padStart(2, "0");

/** Days and moments are abbreviated in English; Spanish writes them out, and without commas. */
function dayStyle(): { locale: string; style: "short" | "long" } {
  return pageLanguage().startsWith("es")
    ? { locale: "es-US", style: "long" }
    : { locale: "en-US", style: "short" };
}

/**
 * 'Tue, Nov 24, 6:00 PM EST' or 'martes 24 de noviembre, 6:00 p. m. EST': a moment in the
 * restaurant's zone, as the server writes it; the time stays on one line.
 */
export function formatMoment(iso: string, timeZone?: string): string {
  const { locale, style } = dayStyle();
  const text = new Intl.DateTimeFormat(locale, {
    weekday: style,
    month: style,
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).format(new Date(iso));
  if (style === "short") return text.replace(/(\d)\s([AP]M)\s/, "$1\u00a0$2\u00a0");
  return text.replace(", ", " ").replace(/(\d)\s([ap])\.\s?m\.\s/, "$1\u00a0$2.\u00a0m.\u00a0");
}

/** 'Thu, Nov 26' or 'jueves 26 de noviembre', from 'YYYY-MM-DD' or a moment that begins with it. */
export function formatDay(day: string): string {
  const { locale, style } = dayStyle();
  const text = new Intl.DateTimeFormat(locale, {
    weekday: style,
    month: style,
    day: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
  return style === "short" ? text : text.replace(", ", " ");
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

/** Value of a datetime-local input: this device's clock, to the minute. */
export function toDateTimeInput(date: Date): string {
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
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

/** The day after a day ('YYYY-MM-DD'). */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T12:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
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
