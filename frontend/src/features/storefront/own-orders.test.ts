import { beforeEach, expect, test, vi } from "vitest";
import { forgetOrders, ownOf, readOwnOrders, rememberOrders } from "../../lib/own-orders";
import { forgetWelcome, startAtTopAfterSending } from "./once";
import { startOwnOrders } from "./own-orders";

const HEADER = `<details data-own-orders hidden><summary>Your orders <b data-own-count></b></summary>
  <ul></ul><button data-forget-orders>Forget</button></details>`;
const page = (more = "") =>
  `${HEADER}<div data-own-order="/order/abc:1" data-code="E1D15953" data-name="Osso Buco"
    data-day="2099-11-25" data-when="Wed, Nov 25" ${more}></div>`;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Answers the pages asked again: no page without one. */
const answers = new Map<string, Response>();
const load = vi.fn((path: string) => {
  const answer = answers.get(path);
  return answer ? Promise.resolve(answer) : Promise.reject(new Error("no answer"));
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
async function openList(): Promise<void> {
  document.querySelector("details")?.removeAttribute("open");
  await settle();
  document.querySelector("details")?.setAttribute("open", "");
  await settle();
}

beforeEach(() => {
  localStorage.clear();
  answers.clear();
  load.mockClear();
  vi.stubGlobal("fetch", load);
});

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
  expect([listed?.hidden, listed?.textContent]).toEqual([false, "Osso BucoWed, Nov 25 · E1D15953"]);
  find("[data-forget-orders]")?.click();
  expect(listed?.hidden).toBe(true);
});

const ENTRY = `<div data-own-order="/waitlist/abc" data-code="9" data-name="Osso Buco"
  data-day="2099-11-25" data-when="Wed, Nov 25" data-special="7" data-in-short="On the waitlist"
  data-until="2099-11-24T23:00:00Z"></div>`;

test("a guest on the waitlist is led to their entry and not asked to join again", () => {
  document.body.innerHTML = HEADER + ENTRY;
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25On the waitlist");
  expect(find("[data-own-count]")?.textContent).toBe(""); // it isn't an order
  document.body.innerHTML = `<div data-own-special="7" hidden><a>See your order</a></div>
    <div data-own-special="7" data-waiting hidden><a>See your place</a></div>
    <form data-unless-waiting></form><p data-unless-own></p>`;
  startOwnOrders();
  const parts = ["[data-own-special]", "[data-waiting]", "form", "p"];
  expect(parts.map((part) => find(part)?.hidden)).toEqual([true, false, true, false]);
  expect(find("[data-waiting] a")?.getAttribute("href")).toBe("/waitlist/abc");
});

test("a guest whose turn has come is led to what is reserved for them from the special's page", async () => {
  document.body.innerHTML = ENTRY;
  startOwnOrders();
  const turn = ENTRY.replace("On the waitlist", "It's your turn").replace(
    "data-code",
    "data-on data-code",
  );
  answers.set("/waitlist/abc", new Response(turn));
  document.body.innerHTML = `<div data-own-special="7" hidden><a>See your order</a></div>
    <div data-own-special="7" data-waiting hidden><p data-if-on="false"><a>See your place</a></p>
    <p data-if-on="true"><a>Order it</a></p></div><i data-unless-own></i><b data-if-own hidden></b>
    <a class="button-primary" data-open-sheet></a>`;
  startOwnOrders();
  const waiting = () => ["false", "true"].map((on) => find(`[data-if-on=${on}]`)?.hidden);
  expect([find("[data-waiting]")?.hidden, ...waiting()]).toEqual([false, false, true]);
  await settle();
  expect([find("[data-waiting]")?.hidden, ...waiting()]).toEqual([false, true, false]);
  expect(find("[data-if-on=true] a")?.getAttribute("href")).toBe("/waitlist/abc");
  // More may be ordered there, which isn't what comes first.
  expect(["i", "b"].map((part) => find(part)?.hidden)).toEqual([false, true]);
  expect(find("[data-open-sheet]")?.className).toBe("");
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
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25 · E1D15953");
  document.body.innerHTML = page('data-in-short="It\'s on"');
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25 · E1D15953It's on");
  document.body.innerHTML = ENTRY;
  startOwnOrders();
  expect(readOwnOrders(new Date("2099-11-24T22:59:00Z"))).toHaveLength(2);
  expect(readOwnOrders(new Date("2099-11-24T23:00:00Z"))).toHaveLength(1);
});

const HELD = 'data-in-short="Card held"';

test("opened, the list says what the orders' own pages say now", async () => {
  document.body.innerHTML = page(HELD);
  startOwnOrders();
  document.body.innerHTML = HEADER;
  startOwnOrders();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25 · E1D15953"); // not what may be old
  const moved = page('data-in-short="It\'s on" data-on').replace(
    "Wed, Nov 25",
    "Wed, Nov 25 · 6:00 PM",
  );
  answers.set("/order/abc:1", new Response(moved));
  const item = find("li");
  await openList();
  expect(load.mock.calls.map(([path]) => path)).toEqual(["/order/abc:1"]);
  expect(item?.textContent).toBe("Osso BucoWed, Nov 25 · 6:00 PM · E1D15953It's on");
  expect([find("li"), item?.isConnected]).toEqual([item, true]); // the focus stays in it
  expect(find(".badge")?.className).toBe("badge badge-herb");
  answers.set("/order/abc:1", new Response(page(HELD)));
  await openList();
  expect(find(".badge")?.className).toBe("badge");
  answers.set("/order/abc:1", new Response(moved));
  await openList();
});

test.each([
  ["isn't found anymore", () => new Response("", { status: 404 }), 0],
  ["can't be asked for", () => new Response("", { status: 503 }), 1],
  ["is shown without what to remember", () => new Response("<p>Your order</p>"), 1],
])("an order that %s is told as its page would, or without a state", async (_, answer, left) => {
  document.body.innerHTML = page(HELD);
  startOwnOrders();
  answers.set("/order/abc:1", answer());
  await openList();
  expect(readOwnOrders()).toHaveLength(left);
  expect(find("ul")?.textContent).toBe(left ? "Osso BucoWed, Nov 25 · E1D15953" : "");
  const place = find("[data-own-orders]");
  expect(place?.hidden).toBe(false); // whoever looks into it isn't left with nothing
  place?.removeAttribute("open");
  place?.dispatchEvent(new Event("toggle"));
  expect(place?.hidden).toBe(left === 0);
});

test("without an answer nothing is said of the card, and a removed order doesn't return", async () => {
  document.body.innerHTML = page(HELD);
  startOwnOrders();
  await openList();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25 · E1D15953");
  answers.set("/order/abc:1", new Response(page(HELD)));
  document.querySelector("details")?.dispatchEvent(new Event("toggle"));
  find("[data-forget-orders]")?.click();
  await settle();
  expect(readOwnOrders()).toEqual([]);
});

test("a place on a waitlist is asked about too, and no more than six pages", async () => {
  const entry = ENTRY.replace("On the waitlist", "You're next");
  document.body.innerHTML = HEADER + ENTRY;
  startOwnOrders();
  document.body.innerHTML = HEADER;
  startOwnOrders();
  answers.set("/waitlist/abc", new Response(entry));
  await openList();
  expect(find("li")?.textContent).toBe("Osso BucoWed, Nov 25You're next");
  const more = { name: "Ravioli", day: "2099-11-26", when: "Thu, Nov 26" };
  rememberOrders([..."12345678"].map((code) => ({ code, path: `/order/${code}:1`, ...more })));
  load.mockClear();
  await openList();
  expect(load).toHaveBeenCalledTimes(6);
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

test("a new link replaces the old one", () => {
  document.body.innerHTML = page();
  startOwnOrders();
  document.body.innerHTML = page().replace("abc:1", "abc:2");
  startOwnOrders();
  expect(readOwnOrders().map(({ path }) => path)).toEqual(["/order/abc:2"]);
});

const CANCELED = 'data-ended data-special="7" data-in-short="Canceled"';

test("an order that ended stays listed with its state, last and not counted", async () => {
  document.body.innerHTML = page(HELD);
  startOwnOrders();
  const more = { name: "Ravioli", day: "2099-11-26", when: "Thu, Nov 26 · Pickup" };
  rememberOrders([{ code: "C3", path: "/order/c3:1", ...more }]);
  answers.set("/order/abc:1", new Response(page(CANCELED)));
  await openList();
  const listed = () => [...document.querySelectorAll("li")].map((item) => item.textContent);
  expect(listed()).toEqual([
    "RavioliThu, Nov 26 · Pickup · C3",
    "Osso BucoWed, Nov 25 · E1D15953Canceled",
  ]);
  expect(document.querySelectorAll(".badge-herb")).toHaveLength(0);
  expect(find("[data-own-count]")?.textContent).toBe("1");
  // Elsewhere, it is said before its page is asked again, because that doesn't change.
  document.body.innerHTML = HEADER;
  startOwnOrders();
  expect(listed()[1]).toBe("Osso BucoWed, Nov 25 · E1D15953Canceled");
  document.querySelector("details")?.removeAttribute("open");
  forgetOrders([{ code: "C3" }]);
  expect(find("[data-own-orders]")?.hidden).toBe(false);
  expect(find("[data-own-count]")?.textContent).toBe("");
  expect(readOwnOrders(new Date("2099-11-28T12:00:00Z"))).toEqual([]);
});

test("the special of an order that ended can be ordered as if it never was", () => {
  document.body.innerHTML = page('data-special="7"');
  startOwnOrders();
  document.body.innerHTML = page(CANCELED);
  startOwnOrders();
  document.body.innerHTML = `<div data-own-special="7" hidden><a></a></div><p data-unless-own></p>`;
  startOwnOrders();
  const parts = ["[data-own-special]", "[data-unless-own]"];
  expect(parts.map((part) => find(part)?.hidden)).toEqual([true, false]);
});

test("an order that ended before this browser knew it is listed, not counted, and not in the way", () => {
  document.body.innerHTML = page(CANCELED);
  startOwnOrders();
  expect(readOwnOrders()).toMatchObject([{ code: "E1D15953", ended: true, inShort: "Canceled" }]);
  expect(find("[data-own-orders]")?.hidden).toBe(false);
  expect(find("[data-own-count]")?.textContent).toBe("");
  expect(ownOf("7")).toEqual([]);
});

test("the orders of a visit are remembered with the page's own, and those that ended stay last", () => {
  const other = (code: string, more = "") =>
    `<li data-own-order="/order/${code}:1" data-code="${code}" data-name="Gnocchi ${code}"
      data-day="2099-11-24" data-when="Tue, Nov 24" ${more}></li>`;
  document.body.innerHTML = page() + other("A1") + other("B2");
  startOwnOrders();
  expect(find("[data-own-count]")?.textContent).toBe("3");
  document.body.innerHTML = page() + other("A1") + other("B2", "data-ended");
  startOwnOrders();
  expect(readOwnOrders().map(({ name }) => name)).toEqual([
    "Gnocchi A1",
    "Osso Buco",
    "Gnocchi B2",
  ]);
});

test("an order placed on this page is listed at once", () => {
  document.body.innerHTML = HEADER;
  startOwnOrders();
  const more = { name: "Ravioli", day: "2099-11-25", when: "Wed, Nov 25" };
  rememberOrders([{ code: "C3", path: "/order/c3:1", ...more }]);
  expect(find("[data-own-orders]")?.hidden).toBe(false);
  expect(find("li")?.textContent).toBe("RavioliWed, Nov 25 · C3");
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

test("the page of a turn is at its top after a form was sent, and as it was after one that wasn't", () => {
  document.body.innerHTML = "<form></form>";
  history.scrollRestoration = "auto";
  startAtTopAfterSending();
  const send = (isRefused: boolean) => {
    const event = new Event("submit", { bubbles: true, cancelable: true });
    if (isRefused) event.preventDefault();
    document.querySelector("form")?.dispatchEvent(event);
    return history.scrollRestoration;
  };
  expect(send(true)).toBe("auto");
  expect(send(false)).toBe("manual");
});
