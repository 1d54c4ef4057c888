import {
  endOrders,
  forgetOrders,
  isCurrent,
  isWaiting,
  OWN_ORDERS_CHANGED,
  OWN_ORDERS_KEY,
  type OwnOrder,
  ownOf,
  readOwnOrders,
  rememberOrders,
} from "../../lib/own-orders";

/** The pages asked again when the list is opened, and for how long at most. */
const AT_ONCE = 6;
const PATIENCE = 8000;
/** The codes of those whose page has confirmed their state: one changed in another browser isn't known here. */
const confirmed = new Set<string>();

/** Remembers this browser's orders that a page names. */
function follow(page: Document): void {
  const named = page.querySelectorAll<HTMLElement>("[data-own-order]");
  const over: OwnOrder[] = [];
  const orders: OwnOrder[] = [];
  for (const { dataset } of named) {
    const { ownOrder: path, code, name = "", day = "", when = "" } = dataset;
    const { special, joined, portions, inShort, until } = dataset;
    if (!path || !code) continue;
    const order = {
      ...{ code, path, name, day, when, special, inShort, until },
      joined: joined !== undefined,
      on: dataset.on !== undefined,
      ended: dataset.ended !== undefined,
      portions: Number(portions) || undefined,
    };
    (order.ended && isWaiting(order) ? over : orders).push(order);
    confirmed.add(code);
  }
  if (over.length > 0) endOrders(over);
  if (orders.length > 0) rememberOrders(orders);
}

/** Follows one order's page as if it were visited; no answer leaves what is known, without its state. */
async function ask(order: OwnOrder): Promise<void> {
  const { path, code } = order;
  const answer = await fetch(path, {
    credentials: "same-origin",
    signal: AbortSignal.timeout(PATIENCE),
  });
  const page = answer.ok ? await answer.text() : "";
  // The guest may have removed it meanwhile.
  if (!readOwnOrders().some((each) => each.code === code)) return;
  if (answer.status === 404) forgetOrders([order]);
  if (page) follow(new DOMParser().parseFromString(page, "text/html"));
}

/** Asks the pages of those listed first what became of them. */
async function refresh(orders = readOwnOrders()): Promise<void> {
  await Promise.allSettled(orders.slice(0, AT_ONCE).map(ask));
}

/** A line that is there already stays, with the focus in it. */
function draw(place: HTMLElement): void {
  const orders = readOwnOrders();
  // Whoever opened it reads that what was in it has ended.
  place.hidden = orders.length === 0 && !place.hasAttribute("open");
  const coming = orders.filter((order) => !order.ended && !isWaiting(order)).length;
  place.querySelector("[data-own-count]")?.replaceChildren(String(coming || ""));
  const list = place.querySelector("ul");
  const before = [...(list?.children ?? [])] as HTMLElement[];
  const items = orders.map((order) => {
    const { code, path, name, when, inShort, ended } = order;
    const item = before.find(({ dataset }) => dataset.own === code) ?? emptyItem();
    item.dataset.own = code;
    const [link, day, state] = item.children as unknown as [
      HTMLAnchorElement,
      Element,
      HTMLElement,
    ];
    link.href = path;
    link.textContent = name;
    const facts = isWaiting(order) ? [when] : [when, code];
    day.replaceChildren(...facts.join(" · ").split(" · ").flatMap(part));
    state.textContent = (ended || (confirmed.has(code) && isCurrent(order)) ? inShort : "") ?? "";
    state.classList.toggle("badge-herb", Boolean(order.on));
    state.hidden = !inShort; // its room is there before its page answers: nothing moves under a finger
    return item;
  });
  if (items.length !== before.length || items.some((item, index) => item !== before[index])) {
    list?.replaceChildren(...items);
  }
}

function emptyItem(): HTMLElement {
  const item = document.createElement("li");
  item.innerHTML = '<a></a><span class="in-parts"></span><span class="badge"></span>';
  return item;
}

/** A part of when it is served, as in cart/components/served.tsx. */
function part(text: string, index: number): (Node | string)[] {
  const whole = document.createElement("span");
  const point = document.createElement("i");
  point.textContent = "· ";
  whole.append(...(index > 0 ? [point, text] : [text]));
  return index > 0 ? [" ", whole] : [whole];
}

/** On a special's page, leads to the order of it and invites nobody who is in already; a [data-waiting]
 * leads to the waitlist entry, whose guest isn't asked to join again, or to order what is reserved now. */
function leadToOwn(place: HTMLElement): void {
  const waits = "waiting" in place.dataset;
  const special = place.dataset.ownSpecial;
  const unless = waits ? "data-unless-waiting" : "data-unless-own";
  const parts = waits ? `[${unless}]` : `[${unless}], [data-if-own]`;
  const orders = ownOf(special).filter((each) => isWaiting(each) === waits);
  const own = orders.find(({ joined }) => joined) ?? orders[0];
  place.hidden = !own;
  for (const link of place.querySelectorAll("a")) link.href = own?.path ?? "";
  for (const part of place.querySelectorAll<HTMLElement>("[data-if-joined], [data-if-on]")) {
    const { ifJoined, ifOn } = part.dataset;
    part.hidden = ifOn
      ? String(own?.on ?? false) !== ifOn
      : String(own?.joined ?? false) !== ifJoined;
  }
  for (const part of document.querySelectorAll<HTMLElement>(parts)) {
    part.hidden = Boolean(own) === part.hasAttribute(unless);
  }
  document
    .querySelector("[data-open-sheet]")
    ?.classList.toggle("button-primary", ownOf(special).length === 0);
}

/**
 * Lists the orders in every [data-own-orders]: the header's, and that of the page to find orders. On a
 * special's page, shows its [data-own-special] to a guest with an order of it instead of [data-unless-own];
 * the list loads what marks their cards (its address is in the page for the reason in typo-watch.ts).
 */
export function startOwnOrders(): void {
  confirmed.clear();
  follow(document);
  const places = [...document.querySelectorAll<HTMLElement>("[data-own-orders]")];
  const specials = [...document.querySelectorAll<HTMLElement>("[data-own-special]")];
  const drawAll = (): void => {
    places.forEach(draw);
    specials.forEach(leadToOwn);
  };
  const refreshAll = (): void => {
    confirmed.clear();
    drawAll();
    refresh();
  };
  for (const place of places) {
    place.querySelector("[data-forget-orders]")?.addEventListener("click", () => forgetOrders());
    place.addEventListener("toggle", () => {
      if (place.hasAttribute("open")) refreshAll();
      else draw(place);
    });
  }
  addEventListener("storage", ({ key }) => (key === null || key === OWN_ORDERS_KEY) && drawAll());
  addEventListener(OWN_ORDERS_CHANGED, drawAll);
  addEventListener("pageshow", drawAll);
  drawAll();
  if (places.some((place) => place.tagName !== "DETAILS")) refresh(); // in view from the start
  // Its turn may have come since its page was open.
  const awaited = specials.filter(({ dataset }) => "waiting" in dataset);
  refresh(awaited.flatMap(({ dataset }) => ownOf(dataset.ownSpecial).filter(isWaiting)));
  const cards = document.querySelector<HTMLElement>("[data-own-cards]")?.dataset.ownCards;
  if (cards && readOwnOrders()[0]) import(/* @vite-ignore */ cards).catch(() => {});
}
