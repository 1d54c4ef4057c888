import { expect, test } from "vitest";
import { zonedMoment } from "@/lib/times";
import { deadlineChoices, defaultDeadline } from "./deadlines";

const ZONE = "America/New_York";
/** Saturday, November 21, 10:17 AM in New York. */
const NOW = new Date("2026-11-21T15:17:00Z");
const words = (serveDay: string, now = NOW) =>
  deadlineChoices(serveDay, ZONE, now).map(({ label, note }) => `${label}, ${note}`);

test("a serve day's deadlines are whole hours in words, the earliest first", () => {
  expect(words("2026-11-26")).toEqual([
    "Mon 6 PM, 3 days before",
    "Tue 6 PM, 2 days before",
    "Wed 6 PM, the day before",
    "Thu noon, same day",
  ]);
  const values = deadlineChoices("2026-11-26", ZONE, NOW).map(({ value }) => value);
  expect(values[2]).toBe("2026-11-25T18:00");
  expect(values.every((value) => value.endsWith(":00"))).toBe(true);
});

test("what has passed or is longer than a hold lasts is not offered", () => {
  expect(words("2026-11-22")).toEqual([
    "Today 6 PM, the day before",
    "Tomorrow 9 AM, same day",
    "Tomorrow noon, same day",
    "Tomorrow 3 PM, same day",
  ]);
  // Eight days ahead: the day before is within seven days only in the evening before that.
  expect(words("2026-11-29")).toEqual(["Thu 6 PM, 3 days before", "Fri 6 PM, 2 days before"]);
});

test("a special served today closes at a whole hour that is still to come", () => {
  expect(words("2026-11-21")).toEqual([
    "Today noon, same day",
    "Today 1 PM, same day",
    "Today 3 PM, same day",
    "Today 5 PM, same day",
  ]);
  const afternoon = new Date("2026-11-21T19:40:00Z"); // 2:40 PM
  expect(words("2026-11-21", afternoon)).toEqual([
    "Today 4 PM, same day",
    "Today 5 PM, same day",
    "Today 6 PM, same day",
    "Today 7 PM, same day",
  ]);
  expect(defaultDeadline("2026-11-21", ZONE, afternoon)).toBe("2026-11-21T16:00");
  const night = new Date("2026-11-22T03:30:00Z"); // 10:30 PM
  expect(words("2026-11-21", night)).toEqual([]);
});

test("late in the evening tomorrow's special closes tomorrow, at any of four hours", () => {
  const eight = new Date("2026-11-22T01:00:00Z"); // Saturday, 8 PM
  expect(words("2026-11-22", eight)).toEqual([
    "Today 9 PM, the day before",
    "Tomorrow 9 AM, same day",
    "Tomorrow noon, same day",
    "Tomorrow 3 PM, same day",
  ]);
  const eleven = new Date("2026-11-22T04:00:00Z");
  expect(words("2026-11-22", eleven)).toEqual([
    "Tomorrow 9 AM, same day",
    "Tomorrow noon, same day",
    "Tomorrow 3 PM, same day",
    "Tomorrow 5 PM, same day",
  ]);
  expect(defaultDeadline("2026-11-22", ZONE, eleven)).toBe("2026-11-22T12:00");
});

test.each([
  ["skips an hour", "2027-03-14T04:00:00Z", "2027-03-14", "2027-03-14T13:00:00.000Z"],
  ["has an hour twice", "2026-11-01T03:00:00Z", "2026-11-01", "2026-11-01T14:00:00.000Z"],
])("at 11 PM before a night that %s tomorrow's hours are the clock's", (_, at, day, nine) => {
  const now = new Date(at);
  const choices = deadlineChoices(day, ZONE, now);
  expect(choices.map(({ label }) => label)).toEqual([
    "Tomorrow 9 AM",
    "Tomorrow noon",
    "Tomorrow 3 PM",
    "Tomorrow 5 PM",
  ]);
  expect(zonedMoment(choices[0]?.value ?? "", ZONE).toISOString()).toBe(nine);
});

test("in a night that has an hour twice no hour that is nearly over is proposed", () => {
  const first = new Date("2026-11-01T04:50:00Z"); // 12:50 AM, before 1 AM comes twice
  for (const { value } of deadlineChoices("2026-11-01", ZONE, first)) {
    const left = zonedMoment(value, ZONE).getTime() - first.getTime();
    expect(left).toBeGreaterThanOrEqual(3_600_000);
  }
});

test("the evening is one in the restaurant's zone, whatever this device's clock says", () => {
  const now = new Date("2026-11-22T07:00:00Z"); // Saturday, 11 PM in Los Angeles
  expect(deadlineChoices("2026-11-22", "America/Los_Angeles", now)[0]?.label).toBe("Tomorrow 9 AM");
});

test("a special served in weeks closes on the last evening that a hold reaches", () => {
  expect(words("2026-12-24")).toEqual(["Fri 6 PM, 27 days before"]);
});

test("an untouched form closes at noon of tomorrow's serve day, or the evening before a later one", () => {
  expect(defaultDeadline("2026-11-22", ZONE, NOW)).toBe("2026-11-22T12:00");
  expect(defaultDeadline("2026-11-24", ZONE, NOW)).toBe("2026-11-23T18:00");
});

test("an untouched deadline is never the current minute, whatever the hour", () => {
  for (let hour = 0; hour < 24; hour += 1) {
    const now = new Date(NOW.getTime() + hour * 3_600_000);
    const value = defaultDeadline("2026-11-23", ZONE, now);
    expect(value).toMatch(/T(12|18):00$/);
    expect(zonedMoment(value, ZONE).getTime()).toBeGreaterThan(now.getTime());
  }
});
