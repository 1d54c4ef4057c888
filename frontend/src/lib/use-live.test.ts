import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useLive } from "./use-live";

let answer: () => Response | Promise<Response>;
let asked: number;
const saying = (version: string) => () => new Response(JSON.stringify({ version }));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  asked = 0;
  answer = saying("1");
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return answer();
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test("asks every five seconds and tells of a change", async () => {
  const { result } = renderHook(() => useLive("1"));
  await waitFor(() => expect(asked).toBe(1));
  expect(result.current).toEqual({ version: "1", connection: "on" });
  answer = saying("2");
  await wait(5000);
  expect(asked).toBe(2);
  expect(result.current.version).toBe("2");
});

test("without a connection it says so, keeps what it knew and goes on by itself", async () => {
  const { result } = renderHook(() => useLive("1"));
  await waitFor(() => expect(asked).toBe(1));
  answer = () => Promise.reject(new TypeError("Failed to fetch"));
  await wait(5000);
  expect(result.current).toEqual({ version: "1", connection: "off" });
  answer = saying("2");
  await wait(5000);
  expect(result.current).toEqual({ version: "2", connection: "on" });
});

test("nobody looks: nothing is asked until somebody does", async () => {
  const { result } = renderHook(() => useLive("1"));
  await waitFor(() => expect(asked).toBe(1));
  const visible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await wait(60_000);
  expect(asked).toBe(1);
  visible.mockReturnValue("visible");
  answer = saying("2");
  document.dispatchEvent(new Event("visibilitychange"));
  await wait(1);
  expect(asked).toBe(2);
  expect(result.current.version).toBe("2");
});

test("signed out: it says so and stops asking", async () => {
  answer = () => new Response("{}", { status: 401 });
  const { result } = renderHook(() => useLive("1"));
  await waitFor(() => expect(result.current.connection).toBe("ended"));
  await wait(60_000);
  expect(asked).toBe(1);
});
