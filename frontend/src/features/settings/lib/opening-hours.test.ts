import { expect, test } from "vitest";
import { asWeek, dayError, likeOn, withDay, withOneMore } from "./opening-hours";

const lunch = { opens: "11:30", closes: "14:30" };
const evening = { opens: "17:00", closes: "01:00" };

test.each([
  [[], undefined],
  [[evening, lunch], undefined],
  [[{ opens: "", closes: "22:00" }], "Enter both times for Monday, such as 11:30 and 22:00."],
  [
    [{ opens: "09:00", closes: "09:00" }],
    "Monday opens and closes at the same time. Change one of them.",
  ],
  [
    [evening, { opens: "23:00", closes: "23:30" }],
    "The hours for Monday overlap. Change one of them.",
  ],
])("%j says %j", (spans, error) => {
  expect(dayError("monday", spans)).toBe(error);
});

test("one more span begins after the last one and does not overlap; too late it is left open", () => {
  expect(withOneMore([])).toEqual([{ opens: "11:00", closes: "22:00" }]);
  expect(withOneMore([lunch])).toEqual([lunch, { opens: "16:30", closes: "20:30" }]);
  const late = { opens: "08:00", closes: "21:00" };
  expect(withOneMore([late])).toEqual([late, { opens: "", closes: "" }]);
  expect(withOneMore([evening])).toEqual([evening, { opens: "", closes: "" }]);
});

test("a closed day is left out, and a day can be copied to all", () => {
  expect(withDay({ monday: [lunch], friday: [evening] }, "monday", [])).toEqual({
    friday: [evening],
  });
  const week = likeOn({ monday: [lunch] }, "monday");
  expect(Object.values(week)).toEqual(Array.from({ length: 7 }, () => [lunch]));
});

test("hours in words aren't read as a week", () => {
  expect(asWeek("daily from 5")).toBeNull();
  expect(asWeek({})).toEqual({});
});
