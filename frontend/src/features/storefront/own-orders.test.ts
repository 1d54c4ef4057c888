import { beforeEach, expect, test } from "vitest";
import { readOwnOrders, rememberOrders } from "../../lib/own-orders";
import { forgetWelcome } from "./once";
import { startOwnOrders } from "./own-orders";

const HEADER = `<details data-own-orders hidden><summary>Your orders <b data-own-count></b></summary>
  <ul></ul><button data-forget-orders>Forget</button></details>`;
const page = (more = "") =>
  `${HEADER}<div data-own-order="/order/abc:1" data-code="E1D15953" data-name="Osso Buco"
    data-day="2099-11-25" data-when="Wed, Nov 25" ${more}></div>`;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);

beforeEach(() => localStorage.clear());

test("an order of this browser is listed on the pages that follow", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  document.body.innerHTML = HEADER;
  startOwnOrders();
  expect(find("[data-own-orders]")?.hidden).toBe(false);
  expect(find("[data-own-count]")?.textContent).toBe("1");
  const link = find("li a") as HTMLAnchorElement;
  expect([link.textContent, link.getAttribute("href")]).toEqual(["Osso Buco", "/order/abc:1"]);
});

test.each([
  ["an order that came with a friend's link", "data-joined", [false, true, false, true]],
  ["another order of the special", "", [false, true, true, false]],
])("the special's page leads to %s and invites nobody twice", (_, joined, hidden) => {
  document.body.innerHTML = page(`data-special="7" ${joined}`);
  startOwnOrders();
  document.body.innerHTML = `<div data-own-special="7" hidden><b data-if-joined="true"></b>
    <b data-if-joined="false"></b><a>See your order</a></div><p data-unless-own>Join</p>`;
  startOwnOrders();
  const parts = ["[data-own-special]", "[data-unless-own]", "[data-if-joined=true]"];
  const shown = [...parts, "[data-if-joined=false]"].map((part) => find(part)?.hidden);
  expect(shown).toEqual(hidden);
  expect(find("a")?.getAttribute("href")).toBe("/order/abc:1");
});

test("the page of a special that this browser didn't order invites as ever", () => {
  document.body.innerHTML = page('data-special="7"');
  startOwnOrders();
  document.body.innerHTML = `<div data-own-special="8" hidden><a>See your order</a></div>
    <p data-unless-own>Join</p>`;
  startOwnOrders();
  expect([find("[data-own-special]")?.hidden, find("[data-unless-own]")?.hidden]).toEqual([
    true,
    false,
  ]);
});

test("the page to find orders lists them too, and forgets them with the header", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  document.body.innerHTML = `${HEADER}<section data-own-orders hidden><ul></ul></section>`;
  startOwnOrders();
  const listed = find("section[data-own-orders]");
  expect([listed?.hidden, listed?.textContent]).toEqual([false, "Osso BucoWed, Nov 25"]);
  find("[data-forget-orders]")?.click();
  expect(listed?.hidden).toBe(true);
});

const ENTRY = `<div data-own-order="/waitlist/abc" data-code="9" data-name="Osso Buco"
  data-day="2099-11-25" data-when="Wed, Nov 25" data-special="7" data-in-short="On the waitlist"
  data-until="2099-11-24T23:00:00Z"></div>`;

test("a guest on the waitlist is led to their entry and not asked to join again", () => {
  document.body.innerHTML = HEADER + ENTRY;
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoOn the waitlist · Wed, Nov 25");
  document.body.innerHTML = `<div data-own-special="7" hidden><a>See your order</a></div>
    <div data-own-special="7" data-waiting hidden><a>See your place</a></div>
    <form data-unless-waiting></form><p data-unless-own></p>`;
  startOwnOrders();
  const parts = ["[data-own-special]", "[data-waiting]", "form", "p"];
  expect(parts.map((part) => find(part)?.hidden)).toEqual([true, false, true, false]);
  expect(find("[data-waiting] a")?.getAttribute("href")).toBe("/waitlist/abc");
});

test.each([
  ["left", () => ENTRY.replace("data-code", "data-ended data-code")],
  ["got the portion", () => page('data-special="7"')],
])("a waitlist entry is forgotten by a guest who %s", (_, next) => {
  document.body.innerHTML = HEADER + ENTRY;
  startOwnOrders();
  document.body.innerHTML = HEADER + next();
  startOwnOrders();
  expect(readOwnOrders().filter(({ path }) => path.startsWith("/waitlist"))).toEqual([]);
});

test("an order known before a guest joined the waitlist for more leaves the entry alone", () => {
  document.body.innerHTML = HEADER + page('data-special="7"');
  startOwnOrders();
  document.body.innerHTML = ENTRY;
  startOwnOrders();
  document.body.innerHTML = page('data-special="7"');
  startOwnOrders();
  expect(readOwnOrders()).toHaveLength(2);
});

test("a state is said only as long as it can be true, and an entry until the list closes", () => {
  document.body.innerHTML = page('data-in-short="Card held" data-until="2020-11-24T23:00:00Z"');
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25");
  document.body.innerHTML = page('data-in-short="It\'s on"');
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoIt's on · Wed, Nov 25");
  document.body.innerHTML = ENTRY;
  startOwnOrders();
  expect(readOwnOrders(new Date("2099-11-24T22:59:00Z"))).toHaveLength(2);
  expect(readOwnOrders(new Date("2099-11-24T23:00:00Z"))).toHaveLength(1);
});

test("the list of own orders is hidden where nothing was ordered", () => {
  document.body.innerHTML = HEADER;
  startOwnOrders();
  expect(find("[data-own-orders]")?.hidden).toBe(true);
});

test("one press forgets all own orders", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  find("[data-forget-orders]")?.click();
  expect(find("[data-own-orders]")?.hidden).toBe(true);
  expect(localStorage.length).toBe(0);
});

test("a new link replaces the old one, and an order that ended is forgotten", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  document.body.innerHTML = page().replace("abc:1", "abc:2");
  startOwnOrders();
  expect(readOwnOrders().map(({ path }) => path)).toEqual(["/order/abc:2"]);
  document.body.innerHTML = page("data-ended");
  startOwnOrders();
  expect(readOwnOrders()).toEqual([]);
});

test("the orders of a visit are remembered with the page's own, and those that ended are not", () => {
  const other = (code: string, more = "") =>
    `<li data-own-order="/order/${code}:1" data-code="${code}" data-name="Gnocchi ${code}"
      data-day="2099-11-24" data-when="Tue, Nov 24" ${more}></li>`;
  document.body.innerHTML = page() + other("A1") + other("B2");
  startOwnOrders();
  expect(find("[data-own-count]")?.textContent).toBe("3");
  document.body.innerHTML = page() + other("A1") + other("B2", "data-ended");
  startOwnOrders();
  expect(readOwnOrders().map(({ name }) => name)).toEqual(["Gnocchi A1", "Osso Buco"]);
});

test("an order placed on this page is listed at once", () => {
  document.body.innerHTML = HEADER;
  startOwnOrders();
  const more = { name: "Ravioli", day: "2099-11-25", when: "Wed, Nov 25" };
  rememberOrders([{ code: "C3", path: "/order/c3:1", ...more }]);
  expect(find("[data-own-orders]")?.hidden).toBe(false);
  expect(find("li")?.textContent).toBe("RavioliWed, Nov 25");
});

test("an order is forgotten three days after its dinner, and damage is ignored", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  expect(readOwnOrders(new Date("2099-11-27T12:00:00Z"))).toHaveLength(1);
  expect(readOwnOrders(new Date("2099-11-28T12:00:00Z"))).toHaveLength(0);
  localStorage.setItem("own-orders", '[{"path":"https://evil.test/order/x"}]');
  expect(readOwnOrders()).toEqual([]);
});

test("a welcome is not repeated after a reload", () => {
  history.replaceState(null, "", "/order/abc?done=ordered#updates");
  document.body.innerHTML = '<div data-once="done"></div>';
  forgetWelcome();
  expect(location.pathname + location.search + location.hash).toBe("/order/abc#updates");
});
