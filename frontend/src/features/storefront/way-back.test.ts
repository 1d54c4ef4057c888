import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leadBackToList } from "./way-back";

const HERE = location.origin;

beforeEach(() => {
  document.body.innerHTML = '<a href="/specials?lang=en" data-back-to-list>Specials</a>';
});

afterEach(() => {
  sessionStorage.clear();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test.each([
  ["/specials?lang=es", `${HERE}/specials?lang=es`],
  ["/specials?diet=vegan", `${HERE}/specials?diet=vegan`],
  ["/specials", `${HERE}/specials`],
  ["/specials?lang=en", ""],
  ["/specials?lang=en", `${HERE}/specials/1d9e2d59?lang=es`],
  ["/specials?lang=en", "https://another.example/specials?lang=es"],
])("the way back is %s from '%s'", (expected, address) => {
  vi.spyOn(document, "referrer", "get").mockReturnValue(address);
  leadBackToList();
  const link = document.querySelector<HTMLAnchorElement>("a");
  expect(link?.href).toBe(`${HERE}${expected}`);
});

test.each([
  ["/specials?lang=en&diet=vegan", "vegan", `${HERE}/order/1d9e2d59`],
  ["/specials?lang=en&diet=vegan", "vegan", ""],
  ["/specials?lang=es", "vegan", `${HERE}/specials?lang=es`],
  ["/specials?lang=en", "", `${HERE}/order/1d9e2d59`],
])("the way back is %s after '%s' was chosen, from '%s'", (expected, diet, address) => {
  sessionStorage.setItem("diet", diet);
  vi.spyOn(document, "referrer", "get").mockReturnValue(address);
  leadBackToList();
  const link = document.querySelector<HTMLAnchorElement>("a");
  expect(link?.href).toBe(`${HERE}${expected}`);
});

test("a page without the link is left alone", () => {
  document.body.innerHTML = "";
  vi.spyOn(document, "referrer", "get").mockReturnValue(`${HERE}/specials`);
  leadBackToList();
  expect(document.body.innerHTML).toBe("");
});
