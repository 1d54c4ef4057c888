import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Progress } from "../../api/types";
import { startChangedParts } from "./changed-parts";
import { showProgress } from "./progress";

const fetched = vi.fn<(address: string) => Promise<Response>>();
const pass = async (time: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(time);
  await vi.dynamicImportSettled();
};
const text = (selector: string) => document.querySelector(selector)?.textContent;
const progress = (currentPreorders: number): Progress => ({
  id: "7",
  status: "active",
  remaining: "",
  currentPreorders,
  isActive: true,
  maxPreorders: 9,
  minPreordersRequired: 4,
  perOrderLimit: 0,
  portionsBeingOrdered: 0,
  portionsLeft: 9 - currentPreorders,
  seatsSentence: "",
  seatsState: "open",
});
const page = (words: string) => `
  <div data-offer data-look-once-closed="4" data-address="/order/7">
    <div class="seats" data-state="open" data-filled="1" data-minimum="4" data-maximum="9"></div>
  </div>
  <p data-part="card">${words}</p>
  <section data-part="friends"><b>${words}</b>
    <form><input name="friends" value="1"></form></section>
  <p>${words}</p>`;

function progressed(currentPreorders: number): void {
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (offer) showProgress(offer, progress(currentPreorders));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  document.body.innerHTML = page("before");
  fetched.mockImplementation(async () => new Response(page("after")));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

test("the parts of an order's page take the server's words once progress has changed", async () => {
  startChangedParts();
  progressed(1);
  await pass(60_000);
  expect(fetched).not.toHaveBeenCalled();
  progressed(2);
  progressed(3);
  await pass(1_000);
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(["/order/7"]);
  expect([text("[data-part=card]"), text("b"), text("body > p:last-child")]).toEqual([
    "after",
    "after",
    "before",
  ]);
});

test("a part whose form is in use changes later, the others at once", async () => {
  startChangedParts();
  const field = document.querySelector("input");
  field?.focus();
  progressed(2);
  await pass(1_000);
  expect([text("[data-part=card]"), text("b")]).toEqual(["after", "before"]);
  field?.blur();
  await pass(2_000);
  expect(text("b")).toBe("after");
  await pass(60_000);
  expect(fetched).toHaveBeenCalledOnce();
});

test("a page that takes no more orders changes no part", async () => {
  fetched.mockImplementation(async () => new Response('<p data-part="card">after</p>'));
  startChangedParts();
  progressed(2);
  await pass(1_000);
  expect(text("[data-part=card]")).toBe("before");
});

test("a form that was just sent isn't overtaken by newer words", async () => {
  startChangedParts();
  progressed(2);
  document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true }));
  await pass(60_000);
  expect(text("b")).toBe("before");
});
