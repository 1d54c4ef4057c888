import { expect, test } from "vitest";
import type { LogEntry } from "@/api/types";
import { asCsv, MOST_ENTRIES, merged, stamp } from "./log";
import { toneOfLevel, toneOfRole } from "./tones";

const entry = (second: number, message: string): LogEntry => ({
  id: `${second}`,
  timestamp: stamp(new Date(Date.UTC(2027, 2, 22, 16, 0, second))),
  level: "INFO",
  message,
});

test("a moment is written in UTC, as YYYY-MM-DD HH:MM:SS", () => {
  expect(stamp(new Date("2027-03-22T18:05:09.750+02:00"))).toBe("2027-03-22 16:05:09");
});

test("the server's entries and the page's own are in order, and only the latest fifty stay", () => {
  const server = Array.from({ length: MOST_ENTRIES }, (_, second) => entry(second, `${second}`));
  const shown = merged(server, [entry(30, "Logs refreshed manually")]);
  expect(shown).toHaveLength(MOST_ENTRIES);
  expect(shown[0]?.message).toBe("1");
  expect(shown.findIndex(({ message }) => message === "Logs refreshed manually")).toBe(30);
});

test("the file has a line for each entry, and quotes what has commas", () => {
  expect(asCsv([entry(0, 'Say "hi", then')])).toBe(
    '"timestamp","level","message"\r\n"2027-03-22 16:00:00","INFO","Say ""hi"", then"',
  );
});

test.each([
  ["ADMIN", "sky"],
  ["user", "herb"],
  ["Editor", "plum"],
  ["owner", "other"],
])("the role %s is %s", (role, tone) => {
  expect(toneOfRole(role)).toBe(tone);
});

test.each([
  ["INFO", "sky"],
  ["SUCCESS", "herb"],
  ["REQUEST", "honey"],
  ["ERROR", "berry"],
])("the level %s is %s", (level, tone) => {
  expect(toneOfLevel(level)).toBe(tone);
});
