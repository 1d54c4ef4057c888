const pad = (number: number) => String(number).padStart(2, "0");

/** 'Tue, Nov 24, 6:00 PM EST': a moment in the restaurant's zone; the time stays on one line. */
export function formatMoment(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
    .format(new Date(iso))
    .replace(/(\d)\s([AP]M)\s/, "$1\u00a0$2\u00a0");
}

/** 'Thu, Nov 26' from 'YYYY-MM-DD' or an ISO moment that begins with the day. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
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
