import { expect, test } from "vitest";
import { describeSeats, drawSeats } from "./seats";

function sketch(filled: number, minimum: number, beingOrdered = 0): string {
  const { dots, fill } = drawSeats({ filled, minimum, maximum: null, beingOrdered });
  const drawn = dots?.map((dot) => (dot.filled ? "●" : dot.beingOrdered ? "◐" : "○")).join("");
  return drawn ?? `bar ${fill}`;
}

test("one dot is drawn for each portion that is needed or ordered", () => {
  expect(sketch(2, 4)).toBe("●●○○");
  expect(sketch(1, 4, 2)).toBe("●◐◐○");
  expect(sketch(6, 4)).toBe("●●●●●●");
});

test("beyond the minimum, what is reserved is not drawn", () => {
  expect(sketch(4, 4, 2)).toBe("●●●●");
});

test("more than 24 are a bar on a scale of 100", () => {
  expect(sketch(12, 24)).toMatch(/^●{12}○{12}$/);
  expect(sketch(25, 40)).toBe("bar 62.5");
  expect(sketch(300, 40)).toBe("bar 100");
  expect(sketch(24, 20)).toMatch(/^●{24}$/);
  expect(sketch(25, 20)).toBe("bar 100");
});

test("the drawing is described for screen readers", () => {
  expect(describeSeats({ filled: 2, minimum: 4, maximum: 6 })).toBe(
    "2 ordered, 4 needed, 6 at most",
  );
  expect(describeSeats({ filled: 2, minimum: 4, maximum: null })).toBe("2 ordered, 4 needed");
});
