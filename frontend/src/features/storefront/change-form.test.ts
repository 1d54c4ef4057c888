import { expect, test } from "vitest";
import { startChangeForm } from "./change-form";
import { startStepForms } from "./steps";

const field = () => document.querySelector("input[type=number]") as HTMLInputElement;
const button = (step: string) =>
  document.querySelector(`[data-step="${step}"]`) as HTMLButtonElement;

test("the total of another number of portions follows it", () => {
  document.body.innerHTML = `<form data-steps data-held-cents="0" data-unit-cents="1800" data-tax-rate="8.00">
    <input type="number" name="quantity" min="1" max="3" step="1" value="1">
    <button type="button" data-step="1" hidden>+</button><p hidden>Total <b data-total></b></p></form>`;
  startStepForms();
  startChangeForm();
  const total = document.querySelector("b");
  expect([total?.textContent, total?.parentElement?.hidden]).toEqual(["$19.44", false]);
  button("1").click();
  expect(total?.textContent).toBe("$38.88");
});

test("a form says what becomes of the hold for the number that is chosen", () => {
  document.body.innerHTML = `<form data-steps data-unit-cents="1000" data-held-cents="2000">
    <input type="hidden" name="shown" value="1">
    <input type="number" name="quantity" min="1" max="3" step="1" value="1">
    <button type="button" data-step="1" hidden>+</button><p hidden><b data-total></b></p>
    <i data-hold="any"></i><i data-hold="covers" hidden></i><i data-hold="larger" hidden></i></form>`;
  startStepForms();
  startChangeForm();
  const shown = () =>
    [...document.querySelectorAll("i")].filter((i) => !i.hidden).map((i) => i.dataset.hold);
  expect(shown()).toEqual([]);
  button("1").click();
  expect(shown()).toEqual(["covers"]);
  button("1").click();
  expect(shown()).toEqual(["larger"]);
});

test("a number above the largest has no total, and the button keeps its own words", () => {
  document.body.innerHTML = `<form data-steps data-unit-cents="1000" data-held-cents="2000">
    <input type="hidden" name="shown" value="1">
    <input type="number" name="quantity" min="1" max="3" step="1" value="1">
    <p hidden><b data-total></b></p><i data-hold="covers" hidden></i><i data-hold="larger" hidden></i>
    <button class="button" data-change-to="Change to">Change portions</button></form>`;
  startStepForms();
  startChangeForm();
  const save = document.querySelector("[data-change-to]") as HTMLButtonElement;
  const shown = () =>
    [...document.querySelectorAll<HTMLElement>("p, i")].filter((each) => !each.hidden).length;
  field().value = "99";
  field().dispatchEvent(new Event("input", { bubbles: true }));
  expect([save.textContent, save.className, shown()]).toEqual(["Change portions", "button", 0]);
  expect(save.disabled).toBe(false);
  field().value = "3";
  field().dispatchEvent(new Event("input", { bubbles: true }));
  expect([save.textContent, save.className, shown()]).toEqual([
    "Change to 3 portions",
    "button button-primary",
    2,
  ]);
});

test("the button names what would change, and is the main one once something does", () => {
  document.body.innerHTML = `<form data-steps data-held-cents="0">
    <input type="hidden" name="shown" value="1"><input type="hidden" name="shownSlot" value="a">
    <input type="number" name="quantity" min="1" max="3" step="1" value="1">
    <button type="button" data-step="1" hidden>+</button>
    <select name="slotId"><option value="a" selected>5:00 PM (2 left)</option>
      <option value="b">6:00 PM</option></select>
    <button class="button" data-change-to="Change to" data-change-both="Change to [portions] at [time]"
      data-words="Save changes">Save changes</button></form>`;
  startStepForms();
  startChangeForm();
  const save = document.querySelector("[data-change-to]") as HTMLButtonElement;
  const says = () => [save.textContent, save.className, save.disabled];
  expect(says()).toEqual(["Save changes", "button", true]);
  button("1").click();
  expect(says()).toEqual(["Change to 2 portions", "button button-primary", false]);
  const times = document.querySelector("select") as HTMLSelectElement;
  times.value = "b";
  times.dispatchEvent(new Event("input", { bubbles: true }));
  expect(says()).toEqual(["Change to 2 portions at 6:00 PM", "button button-primary", false]);
  times.value = "a";
  times.dispatchEvent(new Event("input", { bubbles: true }));
  field().value = "1";
  field().dispatchEvent(new Event("input", { bubbles: true }));
  expect(says()).toEqual(["Save changes", "button", true]);
});

function drawTimes(): void {
  document.body.innerHTML = `<form data-steps data-held-cents="0">
    <input type="hidden" name="shown" value="1"><input type="hidden" name="shownSlot" value="a">
    <input type="number" name="quantity" min="1" max="3" step="1" value="1">
    <button type="button" data-step="1" hidden>+</button><button type="button" data-step="-1" hidden>-</button>
    <div class="field"><select name="slotId"><option value="a" data-left="1" data-short="Full" selected>5:00 PM</option>
      <option value="b" data-left="2">6:00 PM (2 left)</option><option value="c">7:00 PM</option></select>
      <div data-has-to-move hidden>From 5:00 PM to <i data-move-to></i></div><p class="error"></p></div>
    <input type="hidden" name="named" value="3:b">
    <button class="button" data-change-to="Change to" data-change-both="Change to [portions] at [time]"
      data-words="Save changes"></button></form>`;
  Object.assign(document.querySelector("option") ?? {}, { defaultSelected: true }); // happy-dom has none
  startStepForms();
  startChangeForm();
}

test("a number that the order's time has no room for says which time it moves to", () => {
  drawTimes();
  const notice = document.querySelector("[data-has-to-move]") as HTMLElement;
  const save = document.querySelector("[data-change-to]") as HTMLButtonElement;
  const says = () => !notice.hidden && notice.textContent;
  expect(says()).toBe(false);
  button("1").click();
  expect([says(), save.textContent]).toEqual([
    "From 5:00 PM to 6:00 PM",
    "Change to 2 portions at 6:00 PM",
  ]);
  button("1").click();
  expect([says(), save.textContent]).toEqual([
    "From 5:00 PM to 7:00 PM",
    "Change to 3 portions at 7:00 PM",
  ]);
  button("-1").click();
  button("-1").click();
  expect([says(), save.textContent, save.disabled]).toEqual([false, "Save changes", true]);
});

test("another time that the guest prefers is no move that has to be", () => {
  drawTimes();
  const times = document.querySelector("select") as HTMLSelectElement;
  times.value = "c";
  times.dispatchEvent(new Event("input", { bubbles: true }));
  expect(document.querySelector("[data-has-to-move]")).toHaveProperty("hidden", true);
});

test("what the button was called without a script isn't sent", () => {
  drawTimes();
  expect(document.querySelector("[name=named]")).toBeNull();
});
