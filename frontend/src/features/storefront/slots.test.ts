import { afterEach, beforeEach, expect, test } from "vitest";
import { startOrderForms } from "./order-form";
import { showProgress } from "./progress";
import { startStepForms } from "./steps";

const ROOM: [string, number | null][] = [
  ["5:00 PM", 1],
  ["6:00 PM", 8],
  ["7:00 PM", 3],
];

function draw(room = ROOM, hint = "Up to 8 at one time"): void {
  const options = room.map(([time, left]) =>
    left === null
      ? `<option value="${time}">${time}</option>`
      : `<option value="${time}" data-left="${left}" data-short="${time} has ${left} left">${time}</option>`,
  );
  document.body.innerHTML = `<section data-offer>
    <button data-step="1">+</button>
    <form data-order-form action="/specials/1/pre-order" data-unit-cents="1000" data-tax-rate="0">
    <div class="field"><input id="quantity" name="quantity" type="number" min="1" max="8" value="1"
      data-at-one-time="8"><p id="quantity-hint">${hint}</p><p class="error"></p>
      <p hidden><button type="button" data-take="Set to"></button></p></div>
    <div class="field"><select id="slotId" name="slotId" required>${options.join("")}</select>
      <p data-moved hidden>Moved</p><p class="error"></p>
      <p hidden><button type="button" data-take="Change to"></button></p></div><button>Order</button></form></section>`;
  Object.assign(document.querySelector("option") ?? {}, { defaultSelected: true }); // happy-dom has none
  startOrderForms();
}

const $ = <T extends Element>(selector: string) => document.querySelector(selector) as T;
const errors = () => [...document.querySelectorAll(".error")].map((each) => each.textContent);
const disabled = () => [...$<HTMLSelectElement>("select").options].map((each) => each.disabled);

function order(portions: number): void {
  $<HTMLInputElement>("input").value = String(portions);
  $("input").dispatchEvent(new Event("input", { bubbles: true }));
}

function choose(time: string): void {
  $<HTMLSelectElement>("select").value = time;
  $("select").dispatchEvent(new Event("input", { bubbles: true }));
}

/** Whether the form could be sent. */
const send = () => $("form").dispatchEvent(new Event("submit", { cancelable: true }));

beforeEach(() => draw());
afterEach(() => {
  sessionStorage.clear();
  document.body.replaceChildren();
});

test("more than the most at one time is refused, and the time stays", () => {
  order(9);
  expect(errors()).toEqual(["Up to 8 at one time", ""]);
  expect($<HTMLSelectElement>("select").value).toBe("5:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(true);
});

test("after an impossible number, the time that the largest fits is said to have moved", () => {
  order(9);
  order(8);
  expect($<HTMLSelectElement>("select").value).toBe("6:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(false);
  order(1);
  expect($<HTMLSelectElement>("select").value).toBe("5:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(true);
});

test("more than the most at one time leaves a chosen time alone", () => {
  choose("7:00 PM");
  order(9);
  expect($<HTMLSelectElement>("select").value).toBe("7:00 PM");
  order(1);
  expect([$<HTMLSelectElement>("select").value, errors()]).toEqual(["7:00 PM", ["", ""]]);
});

test("a time nobody chose gives way to the first that has enough for the number", () => {
  expect($<HTMLSelectElement>("select").value).toBe("5:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(true);
  order(2);
  expect($<HTMLSelectElement>("select").value).toBe("6:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(false);
  expect([disabled(), errors()]).toEqual([
    [true, false, false],
    ["", ""],
  ]);
  order(4);
  expect(disabled()).toEqual([true, false, true]);
  order(1);
  expect(disabled()).toEqual([false, false, false]);
  expect(send()).toBe(true);
});

test("a chosen time without room gives way to the first that has some with one press", () => {
  const take = $<HTMLButtonElement>("select ~ * [data-take]");
  choose("7:00 PM");
  expect(take.parentElement?.hidden).toBe(true);
  order(4);
  expect([take.parentElement?.hidden, take.textContent]).toEqual([false, "Change to 6:00 PM"]);
  take.click();
  expect($<HTMLSelectElement>("select").value).toBe("6:00 PM");
  expect([errors(), take.parentElement?.hidden]).toEqual([["", ""], true]);
  expect(document.activeElement).toBe($("select"));
  expect(send()).toBe(true);
});

test("a time that the guest chooses is no longer said to have moved", () => {
  order(2);
  choose("7:00 PM");
  expect($<HTMLElement>("[data-moved]").hidden).toBe(true);
});

test("a time the guest chose stays, says what it lacks, and keeps the form from being sent", () => {
  choose("7:00 PM");
  order(4);
  expect($<HTMLSelectElement>("select").value).toBe("7:00 PM");
  expect(errors()).toEqual(["", "7:00 PM has 3 left"]);
  expect($("select").getAttribute("aria-invalid")).toBe("true");
  expect(send()).toBe(false);
  expect(document.activeElement).toBe($("select"));
  // What the wallets ask before they open.
  expect($<HTMLSelectElement>("select").reportValidity()).toBe(false);
  choose("6:00 PM");
  expect(errors()).toEqual(["", ""]);
  expect($("select").hasAttribute("aria-invalid")).toBe(false);
  expect(send()).toBe(true);
});

test("the steps stop at the most that one time has, also when the special has more", () => {
  order(8);
  expect($<HTMLButtonElement>("[data-step]").disabled).toBe(true);
  showProgress($("[data-offer]"), {
    id: "1",
    currentPreorders: 0,
    minPreordersRequired: 1,
    maxPreorders: 20,
    portionsLeft: 20,
    portionsBeingOrdered: 0,
    perOrderLimit: 20,
    seatsState: "on",
    seatsSentence: "",
    status: "active",
    isActive: true,
    remaining: "",
  });
  expect($<HTMLInputElement>("input").max).toBe("8");
  expect($("#quantity-hint").textContent).toBe("Up to 8 at one time");
  order(9);
  expect(errors()).toEqual(["Up to 8 at one time", ""]);
  expect(send()).toBe(false);
  order(8);
  expect([errors(), send()]).toEqual([["", ""], true]);
});

test("a time without a limit has enough for any number", () => {
  draw([
    ["5:00 PM", 1],
    ["6:00 PM", null],
  ]);
  order(8);
  expect($<HTMLSelectElement>("select").value).toBe("6:00 PM");
  expect(send()).toBe(true);
});

test("more portions than the largest number are refused with what the hint says", () => {
  draw([["6:00 PM", null]]);
  order(9);
  expect([errors(), send()]).toEqual([["Up to 8 at one time", ""], false]);
  expect(document.activeElement).toBe($("input"));
  order(8);
  expect([errors(), send()]).toEqual([["", ""], true]);
  $("select").remove();
  startOrderForms();
  order(9);
  expect(errors()[0]).toBe("Up to 8 at one time");
});

test.each([
  ["data-order-form", ROOM],
  ["data-steps", []],
] as [string, typeof ROOM][])(
  "in a form with %s, a number that is too large becomes the largest with one press",
  (kind, times) => {
    draw(times);
    if (kind === "data-steps") {
      document.body.innerHTML = document.body.innerHTML
        .replace("data-order-form", kind)
        .replace(/<select.*<.select>/s, "");
      startStepForms();
    }
    const take = $<HTMLButtonElement>("input ~ * [data-take]");
    expect(take.parentElement?.hidden).toBe(true);
    order(12);
    expect([take.parentElement?.hidden, take.textContent]).toEqual([false, "Set to 8"]);
    take.click();
    expect($<HTMLInputElement>("input").value).toBe("8");
    expect([errors()[0], take.parentElement?.hidden, send()]).toEqual(["", true, true]);
  },
);

test("what the server refused is offered its largest number, too", () => {
  document.body.innerHTML = `<form data-steps><div class="field"><input type="number" max="3" value="5" aria-invalid="true">
    <p class="error">Only 3 left</p><p hidden><button type="button" data-take="Set to"></button></p></div></form>`;
  startStepForms();
  const take = $<HTMLButtonElement>("[data-take]");
  expect([errors(), take.textContent]).toEqual([["Only 3 left"], "Set to 3"]);
  take.click();
  expect([errors(), take.parentElement?.hidden]).toEqual([[""], true]);
});

test("after a reload only a time that the guest chose is chosen again", () => {
  order(2);
  draw();
  expect($<HTMLSelectElement>("select").value).toBe("6:00 PM");
  order(1);
  draw();
  expect($<HTMLSelectElement>("select").value).toBe("5:00 PM");
  choose("7:00 PM");
  draw();
  order(4);
  expect(errors()).toEqual(["", "7:00 PM has 3 left"]);
});
