import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startOrderSheet } from "./order-sheet";

const page = (notice = "") => `
  <h1>Osso Buco</h1>
  <div data-offer>
    ${notice}
    <div data-sheet-form><form id="pre-order"></form></div>
    <a href="#pre-order" data-open-sheet>Pre-Order</a>
  </div>`;

beforeEach(() => {
  viewport.matches = true;
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return viewport.matches;
    },
    addEventListener: (_change: string, changed: () => void) => {
      viewport.changed = changed;
    },
  }));
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  history.replaceState({ sheet: true }, ""); // as the open sheet leaves it for a reload
});

afterEach(() => {
  history.replaceState(null, "");
  vi.unstubAllGlobals();
});

/** Tells the page that its window became wide, or narrow. */
function widen(isNarrow: boolean): void {
  viewport.matches = isNarrow;
  viewport.changed();
}

const viewport = { matches: true, changed: () => {} };

const sheet = () => document.querySelector<HTMLDialogElement>(".order-sheet");

it("opens again when the page is loaded again", () => {
  document.body.innerHTML = page();
  startOrderSheet();
  expect(sheet()?.open).toBe(true);
});

it("leaves what the guest has to know first in view, and opens on request", () => {
  document.body.innerHTML = page("<div data-before-sheet>Nora canceled</div>");
  startOrderSheet();
  expect(sheet()?.open).toBe(false);
  document.querySelector<HTMLElement>("[data-open-sheet]")?.click();
  expect(sheet()?.open).toBe(true);
});

it("keeps the form when it is closed, and gives it back to the page when the window gets wide", () => {
  document.body.innerHTML = page();
  startOrderSheet();
  sheet()?.close();
  sheet()?.dispatchEvent(new Event("close"));
  const form = document.getElementById("pre-order");
  expect(form?.closest("dialog")).toBe(sheet());
  widen(false);
  expect(form?.closest("dialog")).toBeNull();
  expect(form?.parentElement?.nextElementSibling?.matches("[data-open-sheet]")).toBe(true);
  widen(true);
  document.querySelector<HTMLElement>("[data-open-sheet]")?.click();
  expect(form?.closest("dialog")).toBe(sheet());
});
