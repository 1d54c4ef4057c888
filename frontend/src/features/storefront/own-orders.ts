/**
 * The orders placed in this browser, without an account: the page of an order that this browser may
 * change is remembered with its link, and the header of every public page of this host lists them. The
 * link shows nothing personal (decision 55). They are stored here alone, until two days after the
 * dinner or until the guest presses "forget".
 */

interface OwnOrder {
  code: string;
  path: string;
  name: string;
  /** The serve date, `2026-11-25`, and in the guest's words. */
  day: string;
  when: string;
}

const KEY = "own-orders";
const AT_MOST = 12;
const DAYS_AFTER = 2;

function isOwnOrder(value: unknown): value is OwnOrder {
  const order = value as OwnOrder | null;
  return (
    [order?.code, order?.name, order?.day, order?.when].every((each) => typeof each === "string") &&
    /^\/order\/[^/?#]+$/.test(order?.path ?? "")
  );
}

/** Those whose dinner isn't long over, the next one first. */
export function readOwnOrders(now = new Date()): OwnOrder[] {
  const oldest = new Date(now.getTime() - DAYS_AFTER * 24 * 60 * 60 * 1000);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const orders = Array.isArray(stored) ? stored.filter(isOwnOrder) : [];
    return orders
      .filter(({ day }) => day >= oldest.toISOString().slice(0, 10))
      .sort((one, other) => one.day.localeCompare(other.day));
  } catch {
    return [];
  }
}

function save(orders: OwnOrder[]): void {
  try {
    if (orders.length > 0) localStorage.setItem(KEY, JSON.stringify(orders));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is off: the emails have the links.
  }
}

/** Remembers the order of this page, if it is this browser's; one that ended is forgotten. */
function follow(page: HTMLElement | null): void {
  const { ownOrder: path, code, name, day, when, ended } = page?.dataset ?? {};
  if (!path || !code) return;
  const others = readOwnOrders().filter((order) => order.code !== code);
  const order = { code, path, name: name ?? "", day: day ?? "", when: when ?? "" };
  save(ended === undefined ? [order, ...others].slice(0, AT_MOST) : others);
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
  follow(document.querySelector<HTMLElement>("[data-own-order]"));
  const places = [...document.querySelectorAll<HTMLElement>("[data-own-orders]")];
  const drawAll = (): void => places.forEach(draw);
  for (const place of places) {
    place.querySelector("[data-forget-orders]")?.addEventListener("click", () => {
      save([]);
      drawAll();
    });
  }
  addEventListener("storage", ({ key }) => (key === null || key === KEY) && drawAll());
  addEventListener("pageshow", drawAll);
  drawAll();
}
