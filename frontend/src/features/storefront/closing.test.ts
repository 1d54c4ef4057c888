import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeOffer } from "./countdowns";
import { startClosing } from "./outcome";

const fetched = vi.fn<(address: string) => Promise<Response>>();
const load = vi.fn();
const pass = (time: number) => vi.advanceTimersByTimeAsync(time);
const odds = (deadline: string) =>
  `<div data-offer data-while-open data-look-once-closed="4" data-address="/order/7">
     <span data-countdown="${deadline}"></span></div>`;
const page = (says: string, rest = "") => `<h1 data-outcome>${says}</h1>${rest}`;
const isHidden = (selector: string) =>
  document.querySelector<HTMLElement>(selector)?.hasAttribute("hidden");

function close(): void {
  const offer = document.querySelector("[data-offer]");
  if (offer) closeOffer(offer);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  document.body.innerHTML = `${page("You're in", odds("2026-11-24T23:00:00Z"))}
    <p data-when-closed hidden>Orders have closed</p>
    <a id="change" data-while-open>Change</a>
    <details id="panel" data-while-open><form><input name="quantity" value="2"></form></details>`;
  fetched.mockImplementation(
    async () => new Response(page("You're in", odds("2026-11-24T23:00:00Z"))),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
  load.mockReset();
});

test("an order whose special is open is asked for by nobody", async () => {
  startClosing(load);
  await pass(60_000);
  expect(fetched).not.toHaveBeenCalled();
  expect(isHidden("#change")).toBe(false);
});

test("once orders close, what was true before is hidden, and the page is loaded once it reads otherwise", async () => {
  startClosing(load);
  close();
  close(); // the countdown and the progress both say so
  expect(["[data-when-closed]", "#change", "#panel", "[data-offer]"].map(isHidden)).toEqual([
    false,
    true,
    true,
    true,
  ]);
  await pass(8_000);
  expect(fetched.mock.calls).toHaveLength(2);
  expect(fetched.mock.calls[0]?.[0]).toBe("/order/7");
  expect(load).not.toHaveBeenCalled();
  fetched.mockImplementation(async () => new Response(page("We're counting the orders")));
  await pass(4_000);
  expect(load).toHaveBeenCalledExactlyOnceWith("/order/7");
  await pass(60_000);
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("a deadline that was moved loads the page, which still takes orders", async () => {
  startClosing(load);
  close();
  fetched.mockImplementation(
    async () => new Response(page("You're in", odds("2026-11-25T23:00:00Z"))),
  );
  await pass(4_000);
  expect(load).toHaveBeenCalledOnce();
});

test("a form that is open stays until its guest closes it", async () => {
  const panel = document.querySelector("details");
  panel?.setAttribute("open", "");
  startClosing(load);
  close();
  expect(["[data-when-closed]", "#change", "#panel"].map(isHidden)).toEqual([false, true, false]);
  fetched.mockImplementation(async () => new Response(page("We're counting the orders")));
  await pass(20 * 60_000);
  expect(fetched).not.toHaveBeenCalled();
  panel?.removeAttribute("open");
  await pass(4_000);
  expect(load).toHaveBeenCalledOnce();
});

test("a form that was just sent isn't overtaken by the page", async () => {
  startClosing(load);
  close();
  document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true }));
  await pass(60_000);
  expect(fetched).not.toHaveBeenCalled();
});
