import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepDiet } from "./diet-filter";

const rect = (left: number, width: number) => () => ({ left, width }) as DOMRect;
const find = (selector: string) => document.querySelector(selector) as HTMLInputElement;

/** The row is 300 wide; its chips are 0 to 100 and 280 to 400. */
function start(chosen: string): void {
  document.body.innerHTML = `<fieldset class="diet-filter">
    <input type="radio" name="diet" value=""><input type="radio" name="diet" value="vegan"></fieldset>
    <a href="?lang=en" hreflang="en-US">English</a>`;
  find(`[value="${chosen}"]`).checked = true;
  find("fieldset").getBoundingClientRect = rect(0, 300);
  find('[value=""]').getBoundingClientRect = rect(0, 100);
  find('[value="vegan"]').getBoundingClientRect = rect(280, 120);
  keepDiet();
}

beforeEach(() => history.replaceState({ scroll: 1 }, "", "/specials?lang=es"));
afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test("the chosen diet is in the page's address, and leaves it with Everything", () => {
  start("");
  find('[value="vegan"]').click();
  expect(location.search).toBe("?lang=es&diet=vegan");
  expect(history.state).toEqual({ scroll: 1 });
  find('[value=""]').click();
  expect(location.search).toBe("?lang=es");
});

test("the tab remembers the diet chosen last", () => {
  start("vegan");
  expect(sessionStorage.getItem("diet")).toBe("vegan");
  find('[value=""]').click();
  expect(sessionStorage.getItem("diet")).toBe("");
});

test("the page's other language keeps the chosen diet", () => {
  start("");
  find('[value="vegan"]').click();
  expect(find("a").getAttribute("href")).toBe(`${location.origin}/specials?lang=en&diet=vegan`);
  find('[value=""]').click();
  expect(find("a").getAttribute("href")).toBe(`${location.origin}/specials?lang=en`);
});

test("the chosen diet comes to the middle of the row", () => {
  start("");
  expect(find("fieldset").scrollLeft).toBe(0);
  find('[value="vegan"]').click();
  expect(find("fieldset").scrollLeft).toBe(190);
});

test("so does one that a guest comes back to", () => {
  start("vegan");
  expect(find("fieldset").scrollLeft).toBe(190);
});

test("a page without a choice is left alone", () => {
  document.body.innerHTML = "<main></main>";
  keepDiet();
  expect(document.body.innerHTML).toBe("<main></main>");
});
