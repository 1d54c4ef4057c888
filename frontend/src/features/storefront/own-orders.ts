import {
  forgetOrders,
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
    if (!path || !code) continue;
    (dataset.ended === undefined ? coming : ended).push({ code, path, name, day, when });
  }
  if (ended.length > 0) forgetOrders(ended);
  if (coming.length > 0) rememberOrders(coming);
}

function draw(place: HTMLElement): void {
  const orders = readOwnOrders();
  place.hidden = orders.length === 0;
  place.querySelector("[data-own-count]")?.replaceChildren(String(orders.length));
  place.querySelector("ul")?.replaceChildren(
    ...orders.map(({ path, name, when }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = path;
      link.textContent = name;
      const day = document.createElement("span");
      day.textContent = when;
      item.append(link, day);
      return item;
    }),
  );
}

/** Lists the orders in every [data-own-orders]: the header's, and that of the page to find orders. */
export function startOwnOrders(): void {
  follow([...document.querySelectorAll<HTMLElement>("[data-own-order]")]);
  const places = [...document.querySelectorAll<HTMLElement>("[data-own-orders]")];
  const drawAll = (): void => places.forEach(draw);
  for (const place of places) {
    place.querySelector("[data-forget-orders]")?.addEventListener("click", () => forgetOrders());
  }
  addEventListener("storage", ({ key }) => (key === null || key === OWN_ORDERS_KEY) && drawAll());
  addEventListener(OWN_ORDERS_CHANGED, drawAll);
  addEventListener("pageshow", drawAll);
  drawAll();
}
