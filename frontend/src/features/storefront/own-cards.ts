import { CART_CHANGED } from "../../lib/cart-store";
import { gettext, interpolate } from "../../lib/i18n";
import { isWaiting, OWN_ORDERS_CHANGED, ownOf } from "../../lib/own-orders";

/** On the photo of a card, and above the link that the whole card is. Here, because most guests never load it. */
const STYLE = "position: absolute; top: 0.5rem; left: 0.5rem; z-index: 1; text-decoration: none";

/** Says on a card of the list that its special was ordered in this browser, and leads to the order. */
function markCard(card: HTMLElement): void {
  const known = ownOf(card.dataset.special);
  const ordered = known.filter((each) => !isWaiting(each));
  const own = ordered[0] ? ordered : known;
  card.querySelector("[data-own-mark]")?.remove();
  if (!own[0]) return;
  const portions = own.reduce((sum, order) => sum + (order.portions ?? 0), 0);
  const mark = document.createElement("a");
  mark.href = own[0].path;
  mark.className = "badge badge-herb";
  mark.style.cssText = STYLE;
  mark.dataset.ownMark = "";
  mark.textContent = portions
    ? interpolate(gettext("You ordered %s"), [portions])
    : ordered[0]
      ? gettext("You ordered this")
      : (own[0].inShort ?? "");
  const name = document.createElement("span");
  name.className = "visually-hidden";
  name.textContent = ` ${card.querySelector("h2")?.textContent}`;
  mark.append(name);
  card.querySelector(".media")?.append(mark);
}

/** Also once the orders are others, and once a card is rendered again (changed-offer.ts). */
export function startOwnCards(): void {
  const drawAll = () =>
    document.querySelectorAll<HTMLElement>("tr[data-special]").forEach(markCard);
  for (const change of [OWN_ORDERS_CHANGED, CART_CHANGED, "pageshow", "storage"])
    addEventListener(change, drawAll);
  drawAll();
}
