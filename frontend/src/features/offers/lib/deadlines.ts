import { addDays, todayIn, zonedInput, zonedMoment } from "@/lib/times";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Card authorizations expire after seven days (DECISIONS X12). */
const LONGEST_OPEN = 7 * DAY;
/** A proposed deadline leaves guests at least this long; a default leaves most of a day. */
const SHORTEST_OPEN = HOUR;
const COMFORTABLE = 20 * HOUR;
const NOON = "12:00";
const EVENING = "18:00";
const LAST_DAYS = 3;
/** When fewer proposals than this are left, others fill up, the likeliest first. */
const PROPOSALS = 4;
/** Later on the day before, when its evening has begun; and before lunch, dinner and late service. */
const LATE = "21:00";
const ON_THE_DAY = ["15:00", "09:00", "17:00", "10:00"];
/** The last one that is proposed for today. */
const LAST_HOUR = 23;

/** A deadline in words: 'Wed 6 PM', the day before. */
export interface DeadlineChoice {
  /** On the restaurant's clock: 'YYYY-MM-DDTHH:mm', always a whole hour. */
  value: string;
  label: string;
  /** Its day in relation to the serve day. */
  note: string;
}

/** Deadlines to choose with one tap for a serve day, the earliest first. */
export function deadlineChoices(serveDay: string, timeZone: string, now: Date): DeadlineChoice[] {
  if (!/^\d{4}-\d\d-\d\d$/.test(serveDay)) return [];
  const isProposed = (value: string) => isOpenFor(value, timeZone, now, SHORTEST_OPEN);
  const usual = [...evenings(serveDay), `${serveDay}T${NOON}`].filter(isProposed);
  const others = fillers(serveDay, timeZone, now).filter(
    (value) => isProposed(value) && !usual.includes(value),
  );
  // If none is within seven days, there is only one: the last evening that a hold reaches.
  const found = [...usual, ...others.slice(0, Math.max(0, PROPOSALS - usual.length))].sort();
  const isFar = serveDay > todayIn(timeZone, now) && found.length === 0;
  const values = isFar ? [latestDeadlineAt(EVENING, timeZone, now)] : found;
  const today = todayIn(timeZone, now);
  return values.map((value) => ({
    value,
    label: deadlineLabel(value, today),
    note: noteOf(value.slice(0, 10), serveDay),
  }));
}

/**
 * A new form's deadline: the evening before the serve day if that is most of a day away, otherwise
 * noon of the serve day, otherwise the first that is possible.
 */
export function defaultDeadline(serveDay: string, timeZone: string, now: Date): string {
  const eve = `${addDays(serveDay, -1)}T${EVENING}`;
  if (isOpenFor(eve, timeZone, now, COMFORTABLE)) return eve;
  const choices = deadlineChoices(serveDay, timeZone, now);
  return (choices.find(({ value }) => value.endsWith(NOON)) ?? choices[0])?.value ?? eve;
}

/** The latest deadline within seven days that is at this time of day ('HH:mm'). */
function latestDeadlineAt(clock: string, timeZone: string, now: Date): string {
  const end = zonedInput(new Date(now.getTime() + LONGEST_OPEN).toISOString(), timeZone);
  const day = end.slice(0, 10);
  const value = `${day}T${clock}`;
  return value <= end ? value : `${addDays(day, -1)}T${clock}`;
}

/** 'Wed 6 PM', 'Tomorrow noon', 'Today 5 PM'. */
function deadlineLabel(value: string, today: string): string {
  const day = value.slice(0, 10);
  const moment = new Date(`${value}:00Z`);
  const weekday = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone: "UTC" });
  const name =
    day === today ? "Today" : day === addDays(today, 1) ? "Tomorrow" : weekday.format(moment);
  return `${name} ${clockLabel(value.slice(11, 16))}`;
}

function clockLabel(clock: string): string {
  if (clock === NOON) return "noon";
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  const rest = minutes ? `:${String(minutes).padStart(2, "0")}` : "";
  return `${hours % 12 || 12}${rest} ${hours < 12 ? "AM" : "PM"}`;
}

function evenings(serveDay: string): string[] {
  const days = Array.from({ length: LAST_DAYS }, (_, index) =>
    addDays(serveDay, index - LAST_DAYS),
  );
  return days.map((day) => `${day}T${EVENING}`);
}

function isOpenFor(value: string, timeZone: string, now: Date, shortest: number): boolean {
  const left = zonedMoment(value, timeZone).getTime() - now.getTime();
  return left >= shortest && left <= LONGEST_OPEN;
}

/** Deadlines for late in the evening or the day itself, when the usual ones have passed. */
function fillers(serveDay: string, timeZone: string, now: Date): string[] {
  const onTheDay = ON_THE_DAY.map((clock) => `${serveDay}T${clock}`);
  if (serveDay === todayIn(timeZone, now)) {
    return [...new Set([...onTheDay, ...hoursLeft(serveDay, timeZone, now)])];
  }
  const eve = addDays(serveDay, -1);
  const isEvening = !isOpenFor(`${eve}T${EVENING}`, timeZone, now, SHORTEST_OPEN);
  return isEvening ? [`${eve}T${LATE}`, ...onTheDay] : onTheDay;
}

/** The whole hours of today that leave guests an hour and some minutes. */
function hoursLeft(today: string, timeZone: string, now: Date): string[] {
  const first = Number(zonedInput(now.toISOString(), timeZone).slice(11, 13)) + 2;
  const count = Math.max(0, LAST_HOUR + 1 - first);
  return Array.from({ length: count }, (_, index) => {
    return `${today}T${String(first + index).padStart(2, "0")}:00`;
  });
}

function noteOf(day: string, serveDay: string): string {
  const before = Math.round((Date.parse(serveDay) - Date.parse(day)) / DAY);
  if (before === 0) return "same day";
  return before === 1 ? "the day before" : `${before} days before`;
}
