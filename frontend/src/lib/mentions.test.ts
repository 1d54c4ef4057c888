import { expect, test } from "vitest";
import { mentions } from "./mentions";

test("a note mentions what begins with one of the words, whatever its case and accents", () => {
  expect(mentions("Soy alérgica a la LECHE!", ["milk", "leche"])).toBe(true);
  expect(mentions("no nuts, please", ["nut"])).toBe(true);
});

test("a note does not mention a word that is only part of another one", () => {
  expect(mentions("a doughnut for the table", ["nut"])).toBe(false);
  expect(mentions("", ["nut"])).toBe(false);
});
