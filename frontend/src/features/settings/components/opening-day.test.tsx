import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { profile } from "../testing";
import { OpeningDay } from "./opening-day";

const fetched = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();

const field = () => screen.getByLabelText<HTMLInputElement>(/When do you plan/);
const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OpeningDay profile={{ ...profile, openingDay: "2026-12-03" }} />
    </QueryClientProvider>,
  );

beforeEach(() => vi.stubGlobal("fetch", fetched));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

test.each([
  ["2026-12-04", "2026-12-04"],
  ["", null],
])("the day %j is saved as %j", async (typed, sent) => {
  fetched.mockResolvedValue(new Response(JSON.stringify({ ...profile, openingDay: sent })));
  show();
  expect(field().value).toBe("2026-12-03");
  fireEvent.change(field(), { target: { value: typed } });
  fireEvent.click(screen.getByRole("button", { name: "Save day" }));
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  const [path, options] = fetched.mock.calls[0] ?? [];
  expect(path).toBe("/api/restaurant/settings");
  expect(JSON.parse(String(options?.body))).toEqual({ openingDay: sent });
});

test("a day that is refused says why and stays typed", async () => {
  const message = "Choose today or a later day.";
  fetched.mockResolvedValue(
    new Response(JSON.stringify({ message, errors: [{ field: "openingDay", message }] }), {
      status: 400,
    }),
  );
  show();
  fireEvent.change(field(), { target: { value: "2026-01-01" } });
  fireEvent.click(screen.getByRole("button", { name: "Save day" }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(field().value).toBe("2026-01-01");
});

test("the day that is saved already can't be saved again", () => {
  show();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save day" }).disabled).toBe(true);
});
