import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Progress } from "../../api/types";
import { orderSum } from "../../lib/order-sum";
import { closeOffer, OFFER_CLOSED, startCountdowns } from "./countdowns";
import { askAgainForUnfinished, startOrderForms } from "./order-form";
import { showProgress, startProgress } from "./progress";
import { redrawSeats, seatsElement } from "./seats";
import { showWithYours } from "./with-yours";

const progress: Progress = {
  id: "o1",
  currentPreorders: 3,
  minPreordersRequired: 3,
  maxPreorders: 5,
  portionsLeft: 2,
  portionsBeingOrdered: 0,
  perOrderLimit: 2,
  seatsState: "on",
  seatsSentence: "It's on. 2 portions left",
  status: "active",
  isActive: true,
  remaining: "It's on — 2 portions left",
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00Z") });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test("the row of seats is drawn in the documented markup", () => {
  const row = seatsElement({ filled: 1, minimum: 3, maximum: 4, beingOrdered: 1 });
  expect(row.outerHTML).toBe(
    '<span class="seats-row" role="img" ' +
      'aria-label="1 ordered, 3 needed, 4 at most, 1 reserved">' +
      '<span class="seat" data-filled=""></span><span class="seat" data-being-ordered=""></span>' +
      '<span class="seat"></span></span>',
  );
  expect(seatsElement({ filled: 2, minimum: 1, maximum: null }).innerHTML).toBe(
    '<span class="seat" data-filled=""></span>'.repeat(2),
  );
});

test("progress reaches every part of the page", () => {
  document.body.innerHTML = `<section data-offer>
    <div class="seats" data-state="open" data-filled="1" data-minimum="3" data-maximum="5">
      <span class="seats-row"></span><p data-sentence>2 more and it's on</p></div>
    <b data-current>1</b><select><option data-left="4">5:00 PM</option></select><input name="quantity" max="4"></section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  showProgress(offer, progress);
  expect(offer.querySelector(".seats")?.getAttribute("data-state")).toBe("on");
  expect(offer.querySelectorAll(".seat[data-filled]")).toHaveLength(3);
  expect(offer.querySelector("[data-sentence]")?.textContent).toBe("It's on. 2 portions left");
  expect(offer.querySelector("[data-current]")?.textContent).toBe("3");
  expect(offer.querySelector("option")?.text).toBe("5:00 PM"); // a time's own number left
  expect(offer.querySelector("input")?.max).toBe("2");
});

test("the count and what depends on the minimum follow what is ordered", () => {
  document.body.innerHTML = `<section data-offer><i data-ordered>1 of 3 ordered</i>
    <p data-when-short>You pay only if it's on</p><p data-when-met hidden>Not charged yet</p></section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  const shown = () => offer.querySelector("p:not([hidden])")?.textContent;
  showProgress(offer, { ...progress, currentPreorders: 2, seatsState: "open" });
  expect([offer.querySelector("i")?.textContent, shown()]).toEqual([
    "2 of 3 ordered",
    "You pay only if it's on",
  ]);
  showProgress(offer, { ...progress, currentPreorders: 4 });
  expect([offer.querySelector("i")?.textContent, shown()]).toEqual([
    "4 ordered",
    "Not charged yet",
  ]);
  // The last portions are in a checkout, and the minimum isn't met.
  showProgress(offer, { ...progress, currentPreorders: 2, seatsState: "sold_out" });
  expect(shown()).toBe("You pay only if it's on");
  // Guaranteed.
  showProgress(offer, { ...progress, currentPreorders: 0, seatsState: "on" });
  expect([offer.querySelector("i")?.textContent, shown()]).toEqual([
    "0 of 3 ordered",
    "Not charged yet",
  ]);
});

test("a form that is open follows what is left, its buttons and its words", () => {
  document.body.innerHTML = `<section data-offer><input name="quantity" type="number" min="1" max="4" value="2">
    <button data-step="1">+</button><p id="quantity-hint">4 portions left</p></section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  const more = offer.querySelector("button");
  const hint = () => offer.querySelector("#quantity-hint")?.textContent;
  showProgress(offer, { ...progress, perOrderLimit: 3, portionsLeft: 3 });
  expect([more?.disabled, hint()]).toEqual([false, "3 portions left"]);
  showProgress(offer, progress);
  expect([more?.disabled, hint()]).toEqual([true, "2 portions left"]);
  showProgress(offer, { ...progress, perOrderLimit: 1, portionsLeft: 1 });
  expect([more?.disabled, hint()]).toEqual([true, "1 portion left"]);
});

test("a page that was open at the deadline says the result and no longer what was true before", () => {
  document.body.innerHTML = `<section data-offer>
    <p data-sentence>3 more and it's on</p>
    <div data-while-open>Pre-Order Now</div><p data-while-open>What happens to your card</p>
    <div data-when-closed hidden>Orders have closed <span data-while-counting>Counting</span></div>
  </section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  const shown = () =>
    [...offer.querySelectorAll<HTMLElement>("div, p, span")]
      .filter((part) => !part.closest("[hidden]"))
      .map((part) => part.textContent?.trim());
  showProgress(offer, { ...progress, isActive: false, seatsState: "deciding" });
  expect(shown()).toContain("Counting");
  const seatsSentence = "Didn't reach its minimum. No one was charged";
  showProgress(offer, { ...progress, isActive: false, seatsState: "failed", seatsSentence });
  expect(shown()).toEqual([seatsSentence, expect.stringContaining("Orders have closed")]);
});

test("progress is asked for every 5 s, less often while there is no answer", async () => {
  document.body.innerHTML = '<section data-offer data-progress-url="/p"></section>';
  let ok = true;
  const fetch = vi.fn(
    async () => new Response(JSON.stringify(progress), { status: ok ? 200 : 503 }),
  );
  vi.stubGlobal("fetch", fetch);
  startProgress();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetch).toHaveBeenCalledTimes(2);
  ok = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetch).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(fetch).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fetch).toHaveBeenCalledTimes(4);
});

test("while nothing can be ordered, the page offers the waitlist and says truly why", () => {
  document.body.innerHTML = `<section data-offer>
    <p data-when-full hidden><i data-if-being-ordered hidden>Being ordered</i><i data-if-sold>Sold</i></p>
    <a data-when-full hidden>Join the waitlist</a><a data-when-free>Pre-Order</a></section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  const shown = () =>
    [...offer.querySelectorAll("i, a")]
      .filter((part) => !part.closest("[hidden]"))
      .map((part) => part.textContent);
  const full = { ...progress, seatsState: "sold_out", portionsLeft: 0, perOrderLimit: 0 } as const;
  showProgress(offer, { ...full, portionsBeingOrdered: 1 });
  expect(shown()).toEqual(["Being ordered", "Join the waitlist"]);
  showProgress(offer, full);
  expect(shown()).toEqual(["Sold", "Join the waitlist"]);
  showProgress(offer, progress);
  expect(shown()).toEqual(["Pre-Order"]);
});

test("an offer that its restaurant withdrew is told to be closed", async () => {
  document.body.innerHTML = '<section data-offer data-progress-url="/p"></section>';
  const heard = vi.fn();
  document.querySelector("section")?.addEventListener(OFFER_CLOSED, heard);
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response("", { status: 404 })),
  );
  startProgress();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(heard).toHaveBeenCalledOnce();
});

test("progress of an offer that has no heading is said aloud without a name", () => {
  document.body.innerHTML = '<div data-offer></div><p data-live role="status"></p>';
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  showProgress(offer, { ...progress, seatsState: "open" });
  showProgress(offer, progress);
  expect(document.querySelector("[data-live]")?.textContent).toBe("It's on. 2 portions left");
});

test("one answer brings every special of a list up to date", async () => {
  document.body.innerHTML = `<ul data-progress-url="/all">
    <li data-offer data-special="o1"><p data-sentence>1 more and it's on</p></li>
    <li data-offer data-special="o2"><p data-sentence>4 more and it's on</p></li></ul>`;
  const specials = [progress, { ...progress, id: "gone" }];
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(JSON.stringify({ specials }))),
  );
  startProgress();
  await vi.advanceTimersByTimeAsync(5_000);
  const words = [...document.querySelectorAll("[data-sentence]")].map((each) => each.textContent);
  expect(words).toEqual(["It's on. 2 portions left", "4 more and it's on"]);
});

test("only what matters is said aloud: that it is on, and the last portions", () => {
  document.body.innerHTML = `<section data-offer><h1>Osso buco</h1></section>
    <p data-live role="status"></p>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  const live = document.querySelector("[data-live]");
  if (!offer || !live) throw new Error("no page");
  const show = (more: Partial<Progress>) => {
    live.textContent = "";
    showProgress(offer, { ...progress, ...more });
    return live.textContent;
  };
  const open = {
    seatsState: "open",
    portionsLeft: 9,
    seatsSentence: "2 more and it's on",
  } as const;
  expect(show(open)).toBe("");
  expect(show({ ...open, seatsSentence: "1 more and it's on" })).toBe("");
  expect(show({ portionsLeft: 8, seatsSentence: "It's on. 8 portions left" })).toBe(
    "Osso buco: It's on. 8 portions left",
  );
  expect(show({ portionsLeft: 7 })).toBe("");
  expect(show({})).toBe("Osso buco: It's on. 2 portions left");
});

test("a seat that was just taken is marked, and a bar grows in place", () => {
  document.body.innerHTML = `<div class="seats" data-filled="1" data-minimum="3" data-maximum="">
    <span class="seats-row"></span></div>`;
  const seats = document.querySelector<HTMLElement>(".seats");
  if (!seats) throw new Error("no seats");
  redrawSeats(seats, "open", { filled: 2, minimum: 3, maximum: null });
  const taken = [...seats.querySelectorAll(".seat")].map((each) => each.hasAttribute("data-new"));
  expect(taken).toEqual([false, true, false]);
  redrawSeats(seats, "open", { filled: 3, minimum: 40, maximum: 50 });
  const bar = seats.querySelector(".seats-fill");
  redrawSeats(seats, "open", { filled: 10, minimum: 40, maximum: 50 });
  expect(seats.querySelector(".seats-fill")).toBe(bar);
  expect(bar?.getAttribute("width")).toBe("25");
  redrawSeats(seats, "on", { filled: 42, minimum: 40, maximum: 50 });
  expect(bar?.getAttribute("width")).toBe("100");
});

test("the guest's own seats stay the first ones when others order", () => {
  document.body.innerHTML = `<div class="seats" data-filled="2" data-minimum="4" data-maximum="" data-own="2">
    <span class="seats-row"></span></div>`;
  const seats = document.querySelector<HTMLElement>(".seats");
  if (!seats) throw new Error("no seats");
  redrawSeats(seats, "open", { filled: 3, minimum: 4, maximum: null });
  const own = [...seats.querySelectorAll(".seat")].map((each) => each.hasAttribute("data-own"));
  expect(own).toEqual([true, true, false, false]);
});

test("progress stops once the outcome is known", async () => {
  document.body.innerHTML = '<section data-offer data-progress-url="/p"></section>';
  const done = { ...progress, seatsState: "succeeded", isActive: false };
  const fetch = vi.fn(async () => new Response(JSON.stringify(done)));
  vi.stubGlobal("fetch", fetch);
  startProgress();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("at the deadline the offer closes and its progress is asked for once", () => {
  document.body.innerHTML = `<section data-offer>
    <span data-countdown="2026-11-21T12:01:30Z"></span><a data-preorder href="/x">Pre-order</a></section>`;
  const onZero = vi.fn();
  startCountdowns(onZero);
  expect(document.querySelector("[data-countdown]")?.textContent).toBe("1m");
  vi.advanceTimersByTime(120_000);
  expect(document.querySelector("[data-countdown]")?.textContent).toBe("Expired");
  const link = document.querySelector("a");
  expect(link?.textContent).toBe("Offer Expired");
  expect(link?.hasAttribute("href")).toBe(false);
  expect(onZero).toHaveBeenCalledTimes(1);
});

test("an answer that is older than the deadline doesn't say how many more it takes", () => {
  document.body.innerHTML = `<article data-offer><p data-sentence>2 more and it's on</p>
    <b data-countdown="2026-11-21T11:59:59Z"></b><a data-preorder href="/o/1">Pre-Order</a></article>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]");
  if (!offer) throw new Error("no offer");
  startCountdowns(() => undefined);
  showProgress(offer, { ...progress, seatsState: "open", seatsSentence: "2 more and it's on" });
  expect(offer.querySelector("[data-sentence]")?.textContent).toBe("");
  const seatsSentence = "Deciding now";
  showProgress(offer, { ...progress, isActive: false, seatsState: "deciding", seatsSentence });
  expect(offer.querySelector("[data-sentence]")?.textContent).toBe("Deciding now");
});

test("a closed offer's button is disabled", () => {
  document.body.innerHTML = "<div><button data-preorder>Pre-order</button></div>";
  closeOffer(document.body);
  expect(document.querySelector("button")?.disabled).toBe(true);
});

test("tax rounds half up to the cent", () => {
  expect(orderSum(1800, "8.00", 2)).toEqual({ subtotal: 3600, tax: 288, total: 3888 });
  expect(orderSum(1250, "8.20", 1)).toEqual({ subtotal: 1250, tax: 103, total: 1353 });
  expect(orderSum(1800, "8.875", 2)).toEqual({ subtotal: 3600, tax: 320, total: 3920 });
});

test("the order form shows the total and sends once", () => {
  document.body.innerHTML = `<form data-order-form data-unit-cents="1800" data-tax-rate="8.00">
    <input name="quantity" type="number" value="1" min="1" max="3"><button type="button" data-step="1" hidden>+</button>
    <output data-total></output><input type="hidden" name="totalAmount">
    <button data-busy="Creating your pre-order…">Pre-order</button></form>`;
  startOrderForms();
  const form = document.querySelector("form");
  document.querySelector<HTMLElement>("[data-step]")?.click();
  expect(document.querySelector("output")?.textContent).toBe("$38.88");
  expect(document.querySelector<HTMLInputElement>("[name=totalAmount]")?.value).toBe("38.88");

  const submit = () => {
    const event = new Event("submit", { cancelable: true });
    form?.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(submit()).toBe(false);
  expect(document.querySelector("button[data-busy]")?.textContent).toBe("Creating your pre-order…");
  expect(submit()).toBe(true);
});

test("a number that can't be ordered and a field that lacks something are said together", () => {
  sessionStorage.clear();
  document.body.innerHTML = `<form data-order-form data-unit-cents="1800" data-tax-rate="8.00">
    <div class="field"><input name="quantity" type="number" value="1" min="1" max="3">
      <p id="quantity-hint">Up to 3 in one order</p><p class="error"></p></div>
    <div class="field"><input name="customerEmail" type="email" data-missing="Valid email is required"
      value="dana@"><p class="error"></p></div><button data-busy="Opening checkout…">Pre-order</button></form>`;
  startOrderForms();
  const quantity = document.querySelector<HTMLInputElement>("[name=quantity]");
  if (quantity) quantity.value = "99";
  quantity?.dispatchEvent(new Event("input", { bubbles: true }));
  const submit = new Event("submit", { cancelable: true });
  document.querySelector("form")?.dispatchEvent(submit);
  expect(submit.defaultPrevented).toBe(true);
  expect([...document.querySelectorAll(".error")].map((each) => each.textContent)).toEqual([
    "Up to 3 in one order",
    "Valid email is required",
  ]);
});

test("the bar of a turn on the waitlist follows the portions", () => {
  document.body.innerHTML = `<form data-order-form action="/waitlist/1/order" data-unit-cents="1000" data-tax-rate="8">
    <input name="quantity" type="number" min="1" max="3" value="1"></form><a>Pre-Order · <b data-total></b></a>`;
  startOrderForms();
  const field = document.querySelector("input") as HTMLInputElement;
  expect(document.querySelector("b")?.textContent).toBe("$10.80");
  field.value = "2";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  expect(document.querySelector("b")?.textContent).toBe("$21.60");
});

test("what the alternative costs follows the portions", () => {
  sessionStorage.clear();
  document.body.innerHTML = `<form data-order-form data-unit-cents="1800" data-alternative-cents="1600"
    data-tax-rate="8.00"><input name="quantity" type="number" value="1" min="1" max="3">
    <button type="button" data-step="1" hidden>+</button><i data-alternative>$17.28</i></form>`;
  startOrderForms();
  document.querySelector<HTMLElement>("[data-step]")?.click();
  expect(document.querySelector("i")?.textContent).toBe("$34.56");
});

test("a page that comes back has its button again, with a total that follows the portions", () => {
  sessionStorage.clear();
  document.body.innerHTML = `<form data-order-form data-unit-cents="1800" data-tax-rate="8.00">
    <input name="quantity" type="number" value="1" min="1" max="3"><button type="button" data-step="1" hidden>+</button>
    <button data-busy="Opening checkout…">Pre-order · <span data-total></span></button></form>`;
  startOrderForms();
  const button = document.querySelector("button[data-busy]");
  document.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
  expect(button?.textContent).toBe("Opening checkout…");
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  document.querySelector<HTMLElement>("[data-step]")?.click();
  expect(button?.textContent).toBe("Pre-order · $38.88");
});

test("a page that names an order to finish is asked for again when it comes back", () => {
  const reload = vi.fn();
  document.body.innerHTML = "";
  askAgainForUnfinished(reload);
  document.body.innerHTML = '<strong id="unfinished"></strong>';
  askAgainForUnfinished(reload);
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test("the order form is sent again when the server said so, unless the guest changes it", () => {
  vi.useFakeTimers();
  for (const changed of [false, true]) {
    document.body.innerHTML = `<form data-order-form data-retry-after="3" data-unit-cents="1800" data-tax-rate="8.00">
      <input name="quantity" type="number" value="1"><button data-busy="Opening checkout…">Pre-order</button></form>`;
    const form = document.querySelector("form") as HTMLFormElement;
    const sent = vi.fn((event: Event) => event.preventDefault());
    form.requestSubmit = () => form.dispatchEvent(new Event("submit", { cancelable: true }));
    startOrderForms();
    form.addEventListener("submit", sent);
    vi.advanceTimersByTime(2900);
    if (changed) form.querySelector("input")?.dispatchEvent(new Event("input", { bubbles: true }));
    expect(sent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(sent).toHaveBeenCalledTimes(changed ? 0 : 1);
  }
  vi.useRealTimers();
});

test("the chosen portions take the first free seats, reserved or not", () => {
  document.body.innerHTML = `<section data-offer><div class="seats" data-state="open"
    data-filled="1" data-minimum="5" data-being-ordered="2"><span class="seats-row"></span></div></section>`;
  const offer = document.querySelector("[data-offer]") as HTMLElement;
  const figures = { filled: 1, minimum: 5, maximum: null, beingOrdered: 2 };
  offer.querySelector(".seats-row")?.replaceWith(seatsElement(figures));
  const marked = (mark: string) =>
    [...offer.querySelectorAll(".seat")].flatMap((seat, index) =>
      seat.hasAttribute(mark) ? [index] : [],
    );
  for (const [chosen, yours] of [
    [1, [1]],
    [3, [1, 2, 3]],
    [0, []],
  ] as const) {
    showWithYours(offer, chosen);
    expect(marked("data-yours")).toEqual(yours);
    expect(marked("data-being-ordered")).toEqual([1, 2]);
  }
});

test("a special that is short says what the chosen portions would do", () => {
  document.body.innerHTML = `<section data-offer><div class="seats" data-state="open"
    data-filled="1" data-minimum="3" data-maximum=""><span class="seats-row"></span>
    <p class="seats-sentence" data-sentence>2 more and it's on</p></div>
    <form data-order-form action="/specials/short/pre-order" data-unit-cents="1000" data-tax-rate="0">
      <input type="number" name="quantity" value="1"><p data-with-yours hidden></p>
      <b data-count-with-yours>2</b></form></section>`;
  const offer = document.querySelector<HTMLElement>("[data-offer]") as HTMLElement;
  const line = offer.querySelector<HTMLElement>("[data-with-yours]") as HTMLElement;
  const quantity = offer.querySelector<HTMLInputElement>("input") as HTMLInputElement;
  const count = offer.querySelector("[data-count-with-yours]") as Element;
  const row = offer.querySelector(".seats-row") as Element;
  row.replaceWith(seatsElement({ filled: 1, minimum: 3, maximum: null }));
  const yours = () => offer.querySelectorAll("[data-yours]").length;
  startOrderForms();
  expect([line.hidden, line.textContent, yours()]).toEqual([
    false,
    "With yours, 1 more and it's on",
    1,
  ]);
  quantity.value = "4";
  quantity.dispatchEvent(new Event("input", { bubbles: true }));
  expect([line.textContent, yours()]).toEqual(["Your 4 portions make it happen!", 2]);
  expect(count.textContent).toBe("5");
  showProgress(offer, { ...progress, currentPreorders: 2, seatsState: "open" });
  expect([line.textContent, yours()]).toEqual(["Your 4 portions make it happen!", 1]);
  expect(count.textContent).toBe("6");
  quantity.value = "2";
  showProgress(offer, progress);
  expect([line.textContent, line.className, yours()]).toEqual([
    "It's on. 2 portions left",
    "is-on",
    0,
  ]);
});
