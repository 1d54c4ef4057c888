import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leadBackToList } from "./way-back";

const shown = () =>
  [...document.querySelectorAll("a:not([hidden])")].map((link) => link.textContent);

beforeEach(() => {
  document.body.innerHTML = `<a href="/patron">Menu</a>
    <a href="/specials" data-back-to-list hidden>Specials</a>`;
});

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

function cameFrom(address: string): void {
  vi.spyOn(document, "referrer", "get").mockReturnValue(address);
  leadBackToList();
}

test.each(["/specials", "/specials?lang=es"])("from %s, the way back is there", (path) => {
  cameFrom(location.origin + path);
  expect(shown()).toEqual(["Specials"]);
  expect(document.querySelector<HTMLAnchorElement>("a:not([hidden])")?.href).toBe(
    location.origin + path,
  );
});

test.each([
  "",
  `${location.origin}/patron`,
  `${location.origin}/specials/1d9e2d59`,
  "https://another.example/specials",
])("from '%s', it is the menu", (address) => {
  cameFrom(address);
  expect(shown()).toEqual(["Menu"]);
});

test("a page without the link is left alone", () => {
  document.body.innerHTML = "";
  cameFrom(`${location.origin}/specials`);
  expect(document.body.innerHTML).toBe("");
});
