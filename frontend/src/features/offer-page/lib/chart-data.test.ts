import { expect, test } from "vitest";
import { chartMarks, chartPoints, chartTicks, chartTop } from "./chart-data";

const at = (hour: number) => `2027-03-22T${String(hour).padStart(2, "0")}:00:00Z`;
const points = [
  { at: at(8), portions: 0, minimum: 6 },
  { at: at(10), portions: 2, minimum: 6 },
];

test("the last step is drawn out to the end", () => {
  const drawn = chartPoints({ points, endsAt: at(12) });
  expect(drawn.map(({ portions }) => portions)).toEqual([0, 2, 2]);
  expect(drawn.at(-1)?.time).toBe(Date.parse(at(12)));
});

test("nothing is drawn past an end that is the last step itself", () => {
  expect(chartPoints({ points, endsAt: at(10) })).toHaveLength(2);
});

test("up to a deadline ahead only the minimum is known", () => {
  const drawn = chartPoints({ points, endsAt: at(12) }, at(20));
  expect(drawn.slice(-2)).toEqual([
    { time: Date.parse(at(12)), portions: null, minimum: 6 },
    { time: Date.parse(at(20)), portions: null, minimum: 6 },
  ]);
});

test("the chart leaves room above the minimum and the maximum", () => {
  const drawn = chartPoints({ points, endsAt: at(12) });
  expect(chartTop(drawn, null)).toBe(7);
  expect(chartTop(drawn, 20)).toBe(22);
});

test("changes are numbered in the order they came", () => {
  const changes = [
    { at: at(11), detail: "second" },
    { at: at(9), detail: "first" },
    { at: at(23), detail: "later than is drawn" },
  ] as Parameters<typeof chartMarks>[0];
  const marks = chartMarks(changes, Date.parse(at(8)), Date.parse(at(12)));
  expect(marks.map(({ number, detail }) => [number, detail])).toEqual([
    [1, "first"],
    [2, "second"],
  ]);
});

test("ticks go from end to end", () => {
  expect(chartTicks(0, 90, 3, String)).toEqual([0, 30, 60, 90]);
});

test("the axis shows no label twice", () => {
  expect(chartTicks(0, 90, 3, (time) => (time < 50 ? "1 AM" : "2 AM"))).toEqual([0, 60]);
});
