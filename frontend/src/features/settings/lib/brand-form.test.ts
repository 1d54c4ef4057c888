import { fireEvent } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { startBrandForm } from "./brand-form";
import { contrast, isReadable, nearestReadable, parseColor } from "./contrast";

const BACKGROUNDS = "#fbf8f3 #ffffff #f4efe7";
const light = BACKGROUNDS.split(" ").map((each) => color(each));

function color(text: string) {
  const found = parseColor(text);
  if (!found) throw new Error(text);
  return found;
}

afterEach(() => document.body.replaceChildren());

test("black on white has the contrast of the standard", () => {
  expect(contrast(color("#000000"), color("#ffffff"))).toBeCloseTo(21);
});

test.each(["red", "#12345", "#1234567", "", "url(x)"])("%j is no color", (text) => {
  expect(parseColor(text)).toBeNull();
});

// What nearest_readable in apps/restaurants/colors.py finds.
test.each([
  ["#ffcc00", "#836900"],
  ["#ff9999", "#dd0000"],
  ["#1d5b8f", "#1d5b8f"],
  ["#808080", "#6d6d6d"],
])("the nearest of %s that can be read is %s", (typed, nearest) => {
  const found = nearestReadable(color(typed), light);
  expect(found.hex).toBe(nearest);
  expect(isReadable(found, light)).toBe(true);
});

test("a color that is hard to read is said so while it is typed, with one that works", () => {
  document.body.innerHTML = `<div data-color="${BACKGROUNDS}">
    <input name="accent"><input type="color" hidden>
    <p data-verdict></p><button type="button" data-use hidden></button></div>`;
  startBrandForm();
  const text = document.querySelector("input[name=accent]") as HTMLInputElement;
  const use = document.querySelector("[data-use]") as HTMLButtonElement;
  const verdict = document.querySelector("[data-verdict]") as HTMLElement;
  expect((document.querySelector("input[type=color]") as HTMLInputElement).hidden).toBe(false);
  fireEvent.input(text, { target: { value: "#ffcc00" } });
  expect(verdict.textContent).toContain("Hard to read");
  expect(use.hidden).toBe(false);
  fireEvent.click(use);
  expect(text.value).toBe("#836900");
  expect(verdict.textContent).toBe("Easy to read on your pages.");
  expect(use.hidden).toBe(true);
});
