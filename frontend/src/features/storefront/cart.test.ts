import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { OPEN_CART, readCart, saveCart } from "../../lib/cart-store";
import { typedGuest } from "../cart/lib/guest";
import { startCart } from "./cart";
import { followSlots } from "./slots";

const PAGE = `<div data-cart="luigis" data-tax-rate="8.0000" data-script="@/lib/seats-story" data-styles="/cart.css">
    <template><link rel="modulepreload" href="/deep.js"></template>
    <div data-cart-notice data-says="Added to cart" data-most="Your cart has all you can order" data-sold-out="Sold out" hidden><b data-cart-says></b><p data-cart-added></p><button data-open-cart></button></div>
    <button data-open-cart data-cart-bar hidden><b data-cart-count></b><i data-cart-sum></i></button>
  </div><p data-live></p>
  <button id="row" data-add-to-cart="osso" data-name="Osso buco" data-cents="1800" data-most="3" hidden><b hidden><i data-in-cart></i></b></button>
  <form><input name="quantity" type="number" value="2"><textarea name="note">No nuts</textarea>
    <select name="slotId"><option value="7" selected>5:00–5:30 PM (only 3 left)</option></select>
    <input type="radio" name="serviceMode" value="dine_in">
    <input type="radio" name="serviceMode" value="pickup" checked>
    <input type="radio" name="alternativeConsent" value="true" checked>
    <button id="form" type="button" data-add-to-cart="penne" data-name="Penne" data-cents="1250" data-most="20" hidden></button>
  </form>`;

/** What the server says of the special that was put in last. */
let waitlistPath = "";
const offers = vi.fn(async (address: string) => {
  const ids = new URL(address, "http://luigis.test").searchParams.get("ids")?.split(",") ?? [];
  return Response.json({ offers: ids.map((id) => ({ id, waitlistPath })) });
});

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

beforeAll(() => {
  document.body.innerHTML = PAGE;
  startCart();
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", offers);
  find("[data-cart-notice]")?.toggleAttribute("hidden", true);
  localStorage.clear();
  (find("[name=quantity]") as HTMLInputElement).value = "2";
  dispatchEvent(new Event("pageshow"));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what the cart consists of is asked for once something is put in, and it opens when it's there", async () => {
  vi.stubEnv("DEV", false); // in which React is prepared first
  const asked = () => [...document.head.querySelectorAll("link")].map((link) => link.rel);
  expect(asked()).toEqual([]);
  find("#row")?.click();
  expect(asked()).toEqual(["modulepreload", "stylesheet"]);
  const opened = vi.fn();
  addEventListener(OPEN_CART, opened);
  find("[data-cart-bar]")?.click();
  find("#row")?.click();
  expect(asked()).toEqual(["modulepreload", "stylesheet"]);
  expect(opened).not.toHaveBeenCalled();
  document.head.querySelector("[rel=stylesheet]")?.dispatchEvent(new Event("load"));
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
  removeEventListener(OPEN_CART, opened);
  vi.unstubAllEnvs();
});

test("the buttons are there once the script runs, the bar once something is in the cart", () => {
  expect(find("#row")?.hidden).toBe(false);
  expect(find("[data-cart-bar]")?.hidden).toBe(true);
  find("#row")?.click();
  find("#row")?.click();
  expect(find("[data-cart-bar]")?.hidden).toBe(false);
  expect(find("[data-cart-count]")?.textContent).toBe("2");
  expect(find("[data-cart-sum]")?.textContent).toBe("$38.88");
});

test("a special's button says how many of it are in the cart", () => {
  const shown = () => [find("#row b")?.hidden, find("[data-in-cart]")?.textContent];
  expect(shown()).toEqual([true, ""]);
  find("#row")?.click();
  find("#row")?.click();
  expect(shown()).toEqual([false, "2"]);
  saveCart("luigis", []);
  expect(shown()).toEqual([true, ""]);
});

test("the cart takes no more portions than one order can have", () => {
  for (let press = 0; press < 5; press += 1) find("#row")?.click();
  expect(readCart("luigis")).toMatchObject([{ offerId: "osso", quantity: 3 }]);
});

test("what the cart has no room for isn't said to be added", () => {
  const shown = () =>
    ["[data-cart-says]", "[data-cart-added]", "[data-live]"].map((it) => find(it)?.textContent);
  for (let press = 0; press < 3; press += 1) find("#row")?.click();
  expect(shown()).toEqual(["Added to cart", "Osso buco", "Added to cart: Osso buco"]);
  find("#row")?.click();
  const all = "Your cart has all you can order";
  expect(shown()).toEqual([all, "3 × Osso buco", `${all}: 3 × Osso buco`]);
});

test("of a form's portions that don't all fit, the notice says how many the cart has", () => {
  const quantity = find("[name=quantity]") as HTMLInputElement;
  quantity.value = "15";
  find("#form")?.click();
  quantity.value = "6";
  find("#form")?.click();
  expect(readCart("luigis")).toMatchObject([{ offerId: "penne", quantity: 20 }]);
  expect(find("[data-live]")?.textContent).toBe(
    "Your cart has all you can order: 20 × Penne · 5:00–5:30 PM",
  );
});

test("from its form a special comes with what was chosen there", () => {
  find("#form")?.click();
  expect(readCart("luigis")).toEqual([
    {
      offerId: "penne",
      name: "Penne",
      unitCents: 1250,
      quantity: 2,
      note: "No nuts",
      slotId: 7,
      serviceMode: "pickup",
      alternative: true,
    },
  ]);
});

test("who is typed in the form already isn't asked again in the cart", () => {
  sessionStorage.clear();
  find("#form")?.click();
  expect(sessionStorage).toHaveLength(0);
  const email = document.createElement("input");
  email.name = "customerEmail";
  email.value = " dana@guest.test ";
  document.querySelector("form")?.append(email);
  find("#form")?.click();
  expect(typedGuest()).toEqual({ name: "", email: "dana@guest.test", phone: "" });
  find("#row")?.click();
  expect(typedGuest()?.email).toBe("dana@guest.test");
  email.remove();
});

test("from its form a special comes only in a number that the chosen time has room for", () => {
  const form = document.querySelector("form") as HTMLFormElement;
  const times = form.querySelector("select") as HTMLSelectElement;
  const own = times.innerHTML;
  times.innerHTML = `<option value="7" data-left="1" data-short="5:00 PM has 1 portion left"></option>
    <option value="8" data-left="3"></option>`;
  const quantity = form.querySelector("[name=quantity]") as HTMLInputElement;
  const choose = (time: string) => {
    times.value = time;
    times.dispatchEvent(new Event("input"));
  };
  followSlots(form, quantity);
  choose("7");
  const before = find("[data-live]")?.textContent;
  find("#form")?.click();
  expect(readCart("luigis")).toEqual([]);
  expect(document.activeElement).toBe(times);
  expect(find("[data-cart-bar]")?.hidden).toBe(true);
  expect(find("[data-live]")?.textContent).toBe(before);
  choose("8");
  find("#form")?.click();
  expect(readCart("luigis")).toMatchObject([{ offerId: "penne", quantity: 2, slotId: 8 }]);
  times.innerHTML = own;
  choose("7");
});

test("the notice is said aloud, stays 3.5 s and leaves within 0.3 s", () => {
  find("#row")?.click();
  const notice = find("[data-cart-notice]");
  expect(find("[data-live]")?.textContent).toBe("Added to cart: Osso buco");
  expect(find("[data-cart-added]")?.textContent).toBe("Osso buco");
  vi.advanceTimersByTime(3499);
  expect([notice?.hidden, notice?.dataset.notice]).toEqual([false, "in"]);
  vi.advanceTimersByTime(1);
  expect([notice?.hidden, notice?.dataset.notice]).toEqual([false, "out"]);
  vi.advanceTimersByTime(300);
  expect(notice?.hidden).toBe(true);
});

test("a second special restarts the notice's time", () => {
  find("#row")?.click();
  vi.advanceTimersByTime(3000);
  find("#form")?.click();
  vi.advanceTimersByTime(3000);
  expect(find("[data-cart-notice]")?.dataset.notice).toBe("in");
});

test("the notice names the time that was chosen in the special's form", () => {
  find("#form")?.click();
  expect(find("[data-cart-added]")?.textContent).toBe("2 × Penne · 5:00–5:30 PM");
});

test("the form doesn't order again what it put into the cart", () => {
  const totals = vi.fn();
  find("form")?.addEventListener("input", totals, { once: true });
  find("#form")?.click();
  expect(readCart("luigis")).toMatchObject([{ offerId: "penne", quantity: 2 }]);
  expect((find("[name=quantity]") as HTMLInputElement).value).toBe("1");
  expect(totals).toHaveBeenCalledOnce();
});

test("what is sold out by now leaves the cart as it was, and the notice says so", async () => {
  find("#row")?.click();
  await vi.advanceTimersByTimeAsync(0);
  expect(readCart("luigis")).toMatchObject([{ offerId: "osso", quantity: 1 }]);
  waitlistPath = "/specials/7#waiting-list";
  find("#row")?.click();
  find("#form")?.click();
  await vi.advanceTimersByTimeAsync(0);
  expect(readCart("luigis")).toMatchObject([{ offerId: "osso", quantity: 1 }]);
  expect(offers).toHaveBeenLastCalledWith(
    "/api/cart/offers?ids=osso,penne&rid=luigis",
    expect.anything(),
  );
  expect(find("[data-cart-says]")?.textContent).toBe("Sold out");
  expect(find("[data-live]")?.textContent).toBe("Sold out: Penne");
});
