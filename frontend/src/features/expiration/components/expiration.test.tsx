import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/api/query-client";
import { Toaster } from "@/ui/toaster";
import { Expiration } from "./expiration";

const STATS = { activeSpecials: 3, expiringSoon: 1, expired: 7, totalPendingOrders: 12 };
const RUNNING = { isRunning: true, nextRun: "2026-11-24T18:00:00Z" };
const STOPPED = { isRunning: false, nextRun: null };
const fetched = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>();

const answer = (body: unknown, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));
const refusal = (message: string) => answer({ code: "conflict", message, errors: [] }, 409);
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const press = async (name: string) => {
  fireEvent.click(screen.getByRole("button", { name }));
  await pass(50);
};
const sent = () => fetched.mock.calls.filter(([, init]) => init?.method === "POST");
const callsOf = (path: string) => fetched.mock.calls.filter(([called]) => called === path).length;

function show(scheduler: typeof RUNNING | typeof STOPPED) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Expiration stats={STATS} scheduler={scheduler} intervalMinutes={60} />
      <Toaster />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

test("the figures are asked for every 30 seconds, the scheduler every 10", async () => {
  fetched.mockImplementation((path) =>
    answer(path.endsWith("stats") ? { ...STATS, activeSpecials: 4 } : STOPPED),
  );
  show(RUNNING);
  expect(screen.getByText("Active specials").parentElement?.textContent).toContain("3");
  await pass(29_000);
  expect(callsOf("/api/admin/scheduler/status")).toBe(2);
  expect(callsOf("/api/admin/expiration-stats")).toBe(0);
  expect(screen.getByText("Stopped")).toBeTruthy();
  await pass(2000);
  expect(callsOf("/api/admin/expiration-stats")).toBe(1);
  expect(screen.getByText("Active specials").parentElement?.textContent).toContain("4");
});

test("the interval can't be changed while the scheduler runs", () => {
  show(RUNNING);
  const interval = screen.getByLabelText<HTMLInputElement>("Interval in minutes");
  expect(interval.disabled).toBe(true);
  expect(interval.value).toBe("60");
  expect(screen.getByText(/^Next run: /)).toBeTruthy();
});

test.each(["4", "1441", "", "7.5"])("an interval out of range isn't sent (%s)", async (typed) => {
  show(STOPPED);
  fireEvent.change(screen.getByLabelText("Interval in minutes"), { target: { value: typed } });
  await press("Start scheduler");
  expect(sent()).toEqual([]);
  expect(screen.getByRole("alert").textContent).toBe("Enter an interval from 5 to 1440 minutes.");
});

test("the scheduler is started with the interval, and stopped with a reason", async () => {
  fetched.mockImplementation((path) => answer(path.endsWith("start") ? RUNNING : STOPPED));
  show(STOPPED);
  fireEvent.change(screen.getByLabelText("Interval in minutes"), { target: { value: "30" } });
  await press("Start scheduler");
  expect(sent()[0]?.[1]?.body).toBe('{"intervalMinutes":30}');
  expect(screen.getByText("Running")).toBeTruthy();
  await press("Stop scheduler");
  expect(screen.getByRole("alert").textContent).toBe("Enter a reason for the other staff.");
  fireEvent.change(screen.getByLabelText("Why stop it?"), { target: { value: "Release" } });
  await press("Stop scheduler");
  expect(sent()[1]?.[1]?.body).toBe('{"reason":"Release"}');
  expect(screen.getByText("Stopped")).toBeTruthy();
});

test("a run says what it settled", async () => {
  fetched.mockImplementation((path) =>
    answer(
      path.endsWith("process-expirations")
        ? { processedSpecials: 1, confirmedOrders: 4, cancelledOrders: 0 }
        : STATS,
    ),
  );
  show(RUNNING);
  await press("Process expired specials");
  expect(
    screen.getByText("1 special settled: 4 orders confirmed, 0 orders canceled."),
  ).toBeTruthy();
  expect(callsOf("/api/admin/expiration-stats")).toBe(1);
});

test.each([
  ["Processing Failed", RUNNING, "Process expired specials"],
  ["Failed to Start Scheduler", STOPPED, "Start scheduler"],
  ["Failed to Stop Scheduler", RUNNING, "Stop scheduler"],
])("what the server refuses is said in the toast and beside the button (%s)", async (...each) => {
  const [title, state, button] = each;
  fetched.mockImplementation(() => refusal(`${title}: sign in again.`));
  show(state);
  const reason = screen.queryByLabelText("Why stop it?");
  if (reason) fireEvent.change(reason, { target: { value: "Release" } });
  await press(button);
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.getAllByText(`${title}: sign in again.`).length).toBe(2);
});
