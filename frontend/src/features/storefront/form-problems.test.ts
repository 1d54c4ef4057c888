import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leadToProblems } from "./form-problems";

const shown = vi.fn<(this: Element) => void>();

const page = (...problems: string[]) => `<form>
  <div id="problems" role="alert" tabindex="-1"><ul>${problems.join("")}</ul></div>
  <fieldset class="field" id="serviceMode"><input type="radio" name="serviceMode"></fieldset>
  <fieldset class="field"><input type="radio" name="alternativeConsent">
    <p class="error" id="alternativeConsent">Choose one</p></fieldset>
  <div class="field" id="name"><label for="customerName">Name</label>
    <input id="customerName"><p class="error">Name is required</p></div></form>`;
const link = (field: string) => `<li><a href="#${field}">Wrong</a></li>`;

beforeEach(() => {
  Element.prototype.scrollIntoView = function (this: Element) {
    shown.call(this);
  };
});

afterEach(() => {
  shown.mockReset();
  vi.restoreAllMocks();
});

test("the only field that is wrong gets the focus, with its label and message in view", () => {
  document.body.innerHTML = page(link("customerName"));
  leadToProblems();
  expect(document.activeElement?.id).toBe("customerName");
  expect(shown.mock.contexts).toEqual([document.getElementById("name")]);
});

test.each(["serviceMode", "alternativeConsent"])("a choice (%s) gets it at its start", (group) => {
  document.body.innerHTML = page(link(group));
  leadToProblems();
  expect(document.activeElement?.getAttribute("name")).toBe(group);
});

test("the first of several wrong fields gets it, in the order of the form", () => {
  document.body.innerHTML = page(link("customerName"), link("alternativeConsent"));
  leadToProblems();
  expect(document.activeElement?.getAttribute("name")).toBe("alternativeConsent");
});

test.each([
  ["a field and something else", [link("customerName"), "<li>The price has changed</li>"]],
  ["no field", ["<li>The price has changed</li>"]],
  ["a field that isn't there", [link("slotId")]],
  ["a field and one that isn't there", [link("customerName"), link("slotId")]],
  ["nothing listed", []],
])("the summary gets it with %s", (_, problems) => {
  document.body.innerHTML = page(...problems);
  leadToProblems();
  expect(document.activeElement?.id).toBe("problems");
  expect(shown.mock.contexts).toEqual([document.activeElement]);
});

test("a link of the summary leads there without an entry in the history, which Back would undo", () => {
  document.body.innerHTML = `${page()}<p id="bot-check" tabindex="-1">Confirm that you're a person</p>`;
  document.getElementById("problems")?.insertAdjacentHTML("afterbegin", link("bot-check"));
  leadToProblems();
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("#problems a")?.dispatchEvent(click);
  expect(click.defaultPrevented).toBe(true);
  expect(document.activeElement?.id).toBe("bot-check");
});

test("it is led to again if the browser takes the focus away as the page loads", () => {
  vi.useFakeTimers();
  vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
  document.body.innerHTML = page(link("customerName"));
  leadToProblems();
  const field = document.getElementById("customerName");
  field?.blur();
  dispatchEvent(new Event("load"));
  vi.runAllTimers();
  expect(document.activeElement).toBe(field);
  vi.useRealTimers();
});

test("a form that is sent again by itself and one without errors move nothing", () => {
  document.body.innerHTML = '<div id="problems" role="status" tabindex="-1">Still trying</div>';
  leadToProblems();
  document.body.innerHTML = "<form></form>";
  leadToProblems();
  expect(document.activeElement).toBe(document.body);
  expect(shown).not.toHaveBeenCalled();
});
