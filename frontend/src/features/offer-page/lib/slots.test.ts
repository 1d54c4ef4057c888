import { expect, test } from "vitest";
import { nextRow, rowOf, slotInputs, splitSpan } from "./slots";

const times = (rows: { from: string; to: string }[]) => rows.map(({ from, to }) => `${from}–${to}`);

test("a span is cut into times of equal length", () => {
  expect(times(splitSpan("17:00", "18:30", 30, "8"))).toEqual([
    "17:00–17:30",
    "17:30–18:00",
    "18:00–18:30",
  ]);
});

test("what is left of a span is no time of its own, and nothing comes of nothing", () => {
  expect(times(splitSpan("17:00", "17:50", 20, ""))).toEqual(["17:00–17:20", "17:20–17:40"]);
  expect(splitSpan("18:00", "17:00", 30, "")).toEqual([]);
  expect(splitSpan("", "17:00", 30, "")).toEqual([]);
  expect(splitSpan("17:00", "18:00", 0, "")).toEqual([]);
});

test("the next time follows the last and is as long", () => {
  const [row] = splitSpan("17:00", "17:20", 20, "6");
  expect(row && nextRow([row])).toMatchObject({ from: "17:20", to: "17:40", capacity: "6" });
  expect(nextRow([])).toMatchObject({ from: "17:00", to: "17:30", capacity: "" });
});

test("times are sent on the restaurant's clock, past midnight on the next day", () => {
  const row = { key: 1, from: "23:30", to: "00:15", capacity: "4", taken: 0 };
  expect(slotInputs([row], "2027-12-31")).toEqual([
    { startsAt: "2027-12-31T23:30", endsAt: "2028-01-01T00:15", capacity: 4 },
  ]);
  expect(slotInputs([{ ...row, from: "12:00", to: "12:30", capacity: "" }], "2027-12-31")).toEqual([
    { startsAt: "2027-12-31T12:00", endsAt: "2027-12-31T12:30", capacity: null },
  ]);
});

test("a slot is read on the restaurant's clock", () => {
  const slot = {
    id: 7,
    startsAt: "2027-03-22T21:00:00Z",
    endsAt: "2027-03-22T21:30:00Z",
    label: "5:00–5:30 PM",
    left: 2,
    capacity: 6,
    taken: 4,
  };
  expect(rowOf(slot, "America/New_York")).toMatchObject({
    from: "17:00",
    to: "17:30",
    capacity: "6",
    taken: 4,
  });
});
