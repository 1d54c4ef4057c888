import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReservationClock } from "./reservation-clock";

const NOW = "2026-03-24T12:00:00Z";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(NOW) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test.each([
  ["12:09:05", "Reserved for you. 9:05 left"],
  ["12:59:59", "Reserved for you. 59:59 left"],
  ["13:58:30", "Reserved for you. 1h 58m left"],
])("what is reserved until %s says how long that is", (until, words) => {
  render(<ReservationClock until={`2026-03-24T${until}Z`} />);
  expect(screen.getByRole("timer").textContent).toBe(words);
});
