import { expect, test } from "vitest";
import { describeSeats, drawSeats } from "./seats";

function sketch(filled: number, minimum: number, maximum: number | null): string {
  const drawing = drawSeats({ filled, minimum, maximum });
  if (drawing.kind === "bar") return `bar ${drawing.fill} tick ${drawing.tick}`;
  const dots = drawing.dots.map(({ filled: taken, extra, place }) => {
    const dot = taken ? "●" : extra ? "◌" : "○";
    return place === drawing.tickAfter ? `${dot}|` : dot;
  });
  return dots.join("") + (drawing.end ? "]" : "");
}

test("seats are drawn up to the minimum, then a tick", () => {
  expect(sketch(2, 4, null)).toBe("●●○○|");
});

test("places beyond the minimum up to the maximum, then the end", () => {
  expect(sketch(5, 4, 6)).toBe("●●●●|●◌]");
});

test("without a maximum the row grows with the pre-orders", () => {
  expect(sketch(6, 4, null)).toBe("●●●●|●●");
});

test("more than 24 places become a bar on a scale of 100", () => {
  expect(sketch(12, 24, null)).toMatch(/^●{12}○{12}\|$/);
  expect(sketch(50, 40, 80)).toBe("bar 62.5 tick 50");
  expect(sketch(300, 40, null)).toBe("bar 100 tick 13.3");
});

test("the drawing is described for screen readers", () => {
  expect(describeSeats({ filled: 2, minimum: 4, maximum: 6 })).toBe(
    "2 of 4 pre-orders needed, 6 at most",
  );
  expect(describeSeats({ filled: 2, minimum: 4, maximum: null })).toBe("2 of 4 pre-orders needed");
});
