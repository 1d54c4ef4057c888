import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startOutcome } from "./outcome";

const fetched = vi.fn<(address: string) => Promise<Response>>();
const load = vi.fn();
const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
const page = (says: string) => `<div data-outcome>${says}</div>`;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  document.body.innerHTML = `${page("One moment")}<p data-look-again="4" data-address="/order/7"></p>`;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
  load.mockReset();
});

test("the page is loaded again once its order says something else, and not before", async () => {
  fetched.mockImplementation(async () => new Response(page("One moment")));
  startOutcome(load);
  await pass(3_999);
  expect(fetched).not.toHaveBeenCalled();
  await pass(4_001);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(fetched.mock.calls[0]?.[0]).toBe("/order/7");
  expect(load).not.toHaveBeenCalled();
  fetched.mockImplementation(async () => new Response(page("You're in")));
  await pass(4_000);
  expect(load).toHaveBeenCalledExactlyOnceWith("/order/7");
  await pass(20_000);
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("a look that fails is followed by another, for ten minutes", async () => {
  fetched.mockRejectedValue(new TypeError("offline"));
  startOutcome(load);
  await pass(8_000);
  expect(fetched).toHaveBeenCalledTimes(2);
  await pass(20 * 60_000);
  expect(fetched.mock.calls.length).toBe(150);
  expect(load).not.toHaveBeenCalled();
});

test("a page whose order is settled looks at nothing", async () => {
  document.body.innerHTML = page("You're in");
  startOutcome(load);
  await pass(60_000);
  expect(fetched).not.toHaveBeenCalled();
});
