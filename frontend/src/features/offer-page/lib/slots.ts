import type { OwnSlot, SlotInput } from "@/api/types";
import { zonedInput } from "@/lib/times";

/** A pickup time as it is typed: clock times of the serve day, portions or no limit. */
export interface SlotRow {
  key: number;
  from: string;
  to: string;
  capacity: string;
  /** Portions ordered for it; such a row stays. */
  taken: number;
}

let keys = 0;
const newKey = () => ++keys;

export function rowOf(slot: OwnSlot, timeZone: string): SlotRow {
  return {
    key: newKey(),
    from: zonedInput(slot.startsAt, timeZone).slice(11),
    to: zonedInput(slot.endsAt, timeZone).slice(11),
    capacity: slot.capacity === null ? "" : String(slot.capacity),
    taken: slot.taken,
  };
}

const minutesOf = (clock: string) => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
};
const pad = (number: number) => String(number).padStart(2, "0");
const clockOf = (minutes: number) => `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;

/** A time span cut into slots of this many minutes, without a shorter rest at its end. */
export function splitSpan(from: string, to: string, minutes: number, capacity: string): SlotRow[] {
  const start = minutesOf(from);
  const end = minutesOf(to);
  const rows: SlotRow[] = [];
  if (!from || !to || minutes < 5) return rows;
  for (let at = start; at + minutes <= end; at += minutes) {
    rows.push({ key: newKey(), from: clockOf(at), to: clockOf(at + minutes), capacity, taken: 0 });
  }
  return rows;
}

/** The row after the last one, of the same length. */
export function nextRow(rows: SlotRow[]): SlotRow {
  const last = rows.at(-1);
  if (!last?.from || !last.to) {
    return { key: newKey(), from: "17:00", to: "17:30", capacity: "", taken: 0 };
  }
  const end = minutesOf(last.to);
  const length = Math.max(5, end - minutesOf(last.from));
  return {
    key: newKey(),
    from: last.to,
    to: clockOf(end + length),
    capacity: last.capacity,
    taken: 0,
  };
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** The rows as they are sent: without an offset, so that the server reads the restaurant's clock.
 * A time that ends no later than it begins ends on the next day. */
export function slotInputs(rows: SlotRow[], serveDay: string): SlotInput[] {
  return rows.map(({ from, to, capacity }) => ({
    startsAt: `${serveDay}T${from}`,
    endsAt: `${to > from ? serveDay : dayAfter(serveDay)}T${to}`,
    capacity: capacity ? Number(capacity) : null,
  }));
}
