import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newOfferValues, type OfferFormValues } from "../lib/offer-schema";
import { WhenFields } from "./when-fields";

const ZONE = "America/New_York";
/** Saturday, November 21, 11 PM in New York. */
const LATE = new Date("2026-11-22T04:00:00Z");

function Fields() {
  const form = useForm<OfferFormValues>({ defaultValues: newOfferValues(ZONE, LATE) });
  return <WhenFields form={form} timeZone={ZONE} />;
}

const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });
const serve = (day: string) =>
  fireEvent.change(screen.getByLabelText("Serve date"), { target: { value: day } });

beforeEach(() => {
  vi.useFakeTimers({ now: LATE });
  render(<Fields />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("late in the evening tomorrow's special can close at four hours of tomorrow", () => {
  const labels = screen.getAllByRole("radio").map((each) => each.closest("label")?.textContent);
  expect(labels).toEqual([
    "Tomorrow 9 AMsame day",
    "Tomorrow noonsame day",
    "Tomorrow 3 PMsame day",
    "Tomorrow 5 PMsame day",
    "Another timechoose it",
  ]);
  expect(radio(/noon/).checked).toBe(true);
});

test("a deadline moves along to another day at its own hour", () => {
  fireEvent.click(radio(/3 PM/));
  serve("2026-11-23");
  expect(radio(/Mon 3 PM/).checked).toBe(true);
});

test("a day that is nearly over offers a time of one's own, and says why", () => {
  serve("2026-11-21");
  expect(screen.getAllByRole("radio")).toHaveLength(1);
  expect(radio(/Another time/).checked).toBe(true);
  expect(screen.getByLabelText("Pre-order deadline")).toBeTruthy();
  expect(
    screen.getByText("It's late for a special today. Choose tomorrow, or set a time."),
  ).toBeTruthy();
});
