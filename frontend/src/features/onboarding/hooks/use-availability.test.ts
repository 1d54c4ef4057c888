import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHECK_TIMEOUT, NOT_AVAILABLE } from "../api/check-subdomain";
import { DEBOUNCE, useAvailability } from "./use-availability";

const fetch = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();

const json = (body: unknown) => new Response(JSON.stringify(body));

/** Never answers by itself; ends as a browser's fetch does when it is aborted. */
function silence(_path: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener("abort", () => reject(signal.reason)),
  );
}

function check(label: string, valid = true, current = "old") {
  return renderHook((props) => useAvailability(props.label, props.valid, current), {
    initialProps: { label, valid },
  });
}

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetch);
  fetch.mockImplementation(async () => json({ available: true }));
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetch.mockReset();
});

test("asks after a pause of 500 ms, then goes from checking to available", async () => {
  let answer = (_: Response) => {};
  fetch.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  const { result } = check("sole");
  expect(result.current.state).toBe("unknown");
  await pass(DEBOUNCE - 1);
  expect(fetch).not.toHaveBeenCalled();
  await pass(1);
  expect(result.current.state).toBe("checking");
  expect(fetch.mock.calls[0]?.[0]).toBe("/api/subdomain-check?subdomain=sole");
  await act(async () => answer(json({ available: true })));
  expect(result.current.state).toBe("available");
});

test("typing on asks once, about the last label", async () => {
  const { rerender } = check("sol");
  await pass(DEBOUNCE - 100);
  rerender({ label: "sole", valid: true });
  await pass(DEBOUNCE);
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(["/api/subdomain-check?subdomain=sole"]);
});

test.each([
  ["so", true, "old"],
  ["so le", false, "old"],
  ["old", true, "old"],
])("%s is not asked about", async (label, valid, current) => {
  const { result } = check(label, valid, current);
  await pass(DEBOUNCE * 2);
  expect(fetch).not.toHaveBeenCalled();
  expect(result.current.state).toBe("unknown");
});

test("a taken address says why and suggests a free one", async () => {
  fetch.mockImplementation(async () => json({ available: false, suggestion: "sole-2" }));
  const { result } = check("sole");
  await pass(DEBOUNCE);
  expect(result.current).toEqual({
    state: "unavailable",
    message: NOT_AVAILABLE,
    suggestion: "sole-2",
  });
});

test.each([
  ["HTML", async () => new Response("<!doctype html>")],
  ["an error", async () => new Response("", { status: 500 })],
  ["no connection", () => Promise.reject(new TypeError("Failed to fetch"))],
])("%s counts as available", async (_name, behave) => {
  fetch.mockImplementation(behave);
  const { result } = check("sole");
  await pass(DEBOUNCE);
  expect(result.current.state).toBe("available");
});

test("an answer that takes 8 seconds counts as available", async () => {
  // The platform's own timer does not follow the fake clock.
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new DOMException("late", "TimeoutError")), time);
    return stop.signal;
  });
  fetch.mockImplementation(silence);
  const { result } = check("sole");
  await pass(DEBOUNCE + CHECK_TIMEOUT - 1);
  expect(result.current.state).toBe("checking");
  await pass(1);
  expect(result.current.state).toBe("available");
  expect(timeout).toHaveBeenCalledWith(8000);
});

test("an answer about an earlier label says nothing about this one", async () => {
  const { result, rerender } = check("sole");
  await pass(DEBOUNCE);
  expect(result.current.state).toBe("available");
  rerender({ label: "luna", valid: true });
  expect(result.current.state).toBe("unknown");
});
