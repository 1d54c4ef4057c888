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
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => {} }));
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  history.replaceState({ sheet: true }, ""); // as the open sheet leaves it for a reload
});

afterEach(() => {
  history.replaceState(null, "");
  vi.unstubAllGlobals();
});

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
