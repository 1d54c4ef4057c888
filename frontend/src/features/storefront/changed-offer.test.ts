import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AllProgress } from "../../api/types";
import "../../pages/storefront/changed-offer";
import { startProgress } from "./progress";

const ORDER =
  '<a data-preorder href="/specials/7#pre-order">Pre-Order</a><button data-add-to-cart="7" hidden></button>';
const WAIT = '<a href="/specials/7#waiting-list">Join the waitlist</a>';
const page = (state: string, actions: string) => `
  <ul data-progress-url="/api/specials/progress" data-merge="data:text/javascript,">
    <li data-offer data-special="7"${state === "sold_out" ? " data-full" : ""}><h2>Osso buco</h2>
      <div class="seats" data-state="${state}" data-filled="1" data-minimum="4" data-maximum="9"></div>
      <div class="actions">${actions}</div></li>
  </ul>`;
const FREE = page("open", ORDER);
const FULL = page("sold_out", WAIT);

let seatsState: AllProgress["specials"][number]["seatsState"];
let server: string;
const asked = vi.fn();
const actions = () => document.querySelector(".actions")?.innerHTML;
const pass = async (time: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(time);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  asked.mockReset();
  vi.stubGlobal("fetch", async (address: string) => {
    if (address !== "/api/specials/progress") {
      asked();
      return new Response(server);
    }
    const special = { id: "7", isActive: true, seatsState, seatsSentence: "", currentPreorders: 1 };
    const counts = { minPreordersRequired: 4, maxPreorders: 9, perOrderLimit: 0 };
    const left = { portionsBeingOrdered: 0, portionsLeft: 8 };
    return Response.json({ specials: [{ ...special, ...counts, ...left }] });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a special that sells out while its list is open offers the waitlist, and not the cart", async () => {
  document.body.innerHTML = FREE;
  [seatsState, server] = ["open", FULL];
  startProgress();
  await pass(6_000);
  expect(asked).not.toHaveBeenCalled();
  document.querySelector<HTMLElement>("[data-preorder]")?.focus();
  seatsState = "sold_out";
  await pass(6_000);
  expect(actions()).toBe(WAIT);
  expect(document.activeElement?.textContent).toBe("Join the waitlist");
  await pass(20_000);
  expect(asked).toHaveBeenCalledOnce();
});

test("one that opens up again can be ordered, as soon as the server's page says so", async () => {
  document.body.innerHTML = FULL;
  [seatsState, server] = ["open", FULL];
  startProgress();
  await pass(6_000);
  expect(actions()).toBe(WAIT);
  server = FREE;
  await pass(6_000);
  expect(actions()).toContain("data-add-to-cart");
  expect(actions()).not.toContain("waiting-list");
});
