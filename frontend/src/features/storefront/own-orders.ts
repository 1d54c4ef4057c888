import {
  forgetOrders,
  isCurrent,
  isWaiting,
  OWN_ORDERS_CHANGED,
  OWN_ORDERS_KEY,
  type OwnOrder,
  readOwnOrders,
  rememberOrders,
} from "../../lib/own-orders";

/** Remembers this browser's orders that a page names; those that ended are forgotten. */
function follow(named: HTMLElement[]): void {
  const ended: OwnOrder[] = [];
  const coming: OwnOrder[] = [];
  for (const { dataset } of named) {
    const { ownOrder: path, code, name = "", day = "", when = "" } = dataset;
    const { special, joined, portions, inShort, until } = dataset;
    if (!path || !code) continue;
    const order = {
      ...{ code, path, name, day, when, special, inShort, until },
      joined: joined !== undefined,
      portions: Number(portions) || undefined,
    };
    (dataset.ended === undefined ? coming : ended).push(order);
  }
  if (ended.length > 0) forgetOrders(ended);
  if (coming.length > 0) rememberOrders(coming);
}

function draw(place: HTMLElement): void {
  const orders = readOwnOrders();
  place.hidden = orders.length === 0;
  place.querySelector("[data-own-count]")?.replaceChildren(String(orders.length));
  place.querySelector("ul")?.replaceChildren(
    ...orders.map((order) => {
      const { path, name, when, inShort } = order;
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = path;
      link.textContent = name;
      const day = document.createElement("span");
      day.textContent = inShort && isCurrent(order) ? `${inShort} · ${when}` : when;
      item.append(link, day);
      return item;
    }),
  );
}

/** On a special's page, leads to the order of it and invites nobody who is in already; a [data-waiting]
 * leads to the waitlist entry, whose guest isn't asked to join again. */
function leadToOwn(place: HTMLElement): void {
  const waits = "waiting" in place.dataset;
  const unless = waits ? "data-unless-waiting" : "data-unless-own";
  const orders = readOwnOrders().filter(
    (each) => each.special === place.dataset.ownSpecial && isWaiting(each) === waits,
  );
  const own = orders.find(({ joined }) => joined) ?? orders[0];
  place.hidden = !own;
  place.querySelector("a")?.setAttribute("href", own?.path ?? "");
  for (const part of place.querySelectorAll<HTMLElement>("[data-if-joined]")) {
    part.hidden = String(Boolean(own?.joined)) !== part.dataset.ifJoined;
  }
  for (const part of document.querySelectorAll<HTMLElement>(`[${unless}], [data-if-own]`)) {
    part.hidden = Boolean(own) === part.hasAttribute(unless);
  }
  document.querySelector("[data-open-sheet]")?.classList.toggle("button-primary", !own);
}

/**
 * Lists the orders in every [data-own-orders]: the header's, and that of the page to find orders. On a
 * special's page, shows its [data-own-special] to a guest with an order of it instead of [data-unless-own];
 * the list loads what marks their cards (its address is in the page for the reason in typo-watch.ts).
 */
export function startOwnOrders(): void {
  follow([...document.querySelectorAll<HTMLElement>("[data-own-order]")]);
  const places = [...document.querySelectorAll<HTMLElement>("[data-own-orders]")];
  const specials = [...document.querySelectorAll<HTMLElement>("[data-own-special]")];
  const drawAll = (): void => {
    places.forEach(draw);
    specials.forEach(leadToOwn);
  };
  for (const place of places) {
    place.querySelector("[data-forget-orders]")?.addEventListener("click", () => forgetOrders());
  }
  addEventListener("storage", ({ key }) => (key === null || key === OWN_ORDERS_KEY) && drawAll());
  addEventListener(OWN_ORDERS_CHANGED, drawAll);
  addEventListener("pageshow", drawAll);
  drawAll();
  const cards = document.querySelector<HTMLElement>("[data-own-cards]")?.dataset.ownCards;
  if (cards && readOwnOrders()[0]) import(/* @vite-ignore */ cards).catch(() => {});
}
