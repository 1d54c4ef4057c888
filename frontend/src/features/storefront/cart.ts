import type { CartOffers } from "@/api/types";
import { askAhead, cartOffersUrl } from "../../lib/cart-offers";
import {
  CART_CHANGED,
  type CartItem,
  type CartOpening,
  cartFigures,
  followOtherTabs,
  guestIn,
  OPEN_CART,
  readCart,
  type ServiceChoice,
  saveCart,
  TYPED_GUEST,
  withItem,
} from "../../lib/cart-store";
import { formatCents } from "../../lib/money";
import { sayAloud } from "./say-aloud";
import { hasRoom, timeOf } from "./slots";

/** How long the notice stays, and how long it takes to leave. */
const SHOWN = 3500;
const LEAVING = 300;

/** React's development tools must be loaded before the first component. */
async function prepareReact(script: string): Promise<void> {
  const refresh = await import(/* @vite-ignore */ new URL("/static/@react-refresh", script).href);
  refresh.injectIntoGlobalHook(window);
  Object.assign(window, { $RefreshReg$() {}, $RefreshSig$: () => (type: unknown) => type });
}

let styled: Promise<unknown> | undefined;

/**
 * Asks once for the cart's styles and for all scripts that its own imports, which the payment's page
 * has, too; at the same time: one after the other takes a slow phone a second longer. Resolves once the styles are there; without
 * them the cart would appear unstyled below the page, but it would still work.
 */
export function fetchCart(place: HTMLElement): Promise<unknown> {
  if (styled) return styled;
  const preload = place.querySelector("template");
  if (preload) document.head.append(preload.content);
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = place.dataset.styles ?? "";
  styled = new Promise((done) => {
    link.onload = link.onerror = done;
  });
  document.head.append(link);
  return styled;
}

async function openCart(place: HTMLElement, detail: CartOpening): Promise<void> {
  const { script = "" } = place.dataset;
  const styles = fetchCart(place);
  if (import.meta.env.DEV) await prepareReact(script);
  await Promise.all([styles, import(/* @vite-ignore */ script)]);
  dispatchEvent(new CustomEvent(OPEN_CART, { detail }));
}

/** A sheet that stays open would keep everything else from being reached. */
function closeSheet(): void {
  document.querySelector<HTMLDialogElement>("dialog.order-sheet[open]")?.close();
}

/** The order in the special's own form, if the button is in one. */
export function wishes(form: HTMLFormElement | null): Partial<CartItem> {
  if (!form) return {};
  const typed = new FormData(form);
  const text = (name: string) => String(typed.get(name) ?? "").trim();
  return {
    quantity: Math.max(1, Math.floor(Number(text("quantity"))) || 1),
    note: text("note") || undefined,
    slotId: Number(text("slotId")) || undefined,
    serviceMode: (text("serviceMode") as ServiceChoice) || undefined,
    alternative: text("alternativeConsent") === "true" || undefined,
  };
}

/** Who is typed in the form already isn't asked for again in the cart. */
function keepGuest(form: HTMLFormElement): void {
  const guest = guestIn(form);
  try {
    if (guest.name || guest.email) sessionStorage.setItem(TYPED_GUEST, JSON.stringify(guest));
  } catch {
    // Storage is off.
  }
}

/**
 * The cart's buttons: `[data-add-to-cart]` puts a special in, `[data-open-cart]` opens it. The cart
 * itself is asked for when something is put in, and runs when it is opened; without a script none of
 * this is there, and each special is ordered by its own form.
 */
export function startCart(): void {
  const place = document.querySelector<HTMLElement>("[data-cart]");
  const bar = place?.querySelector<HTMLElement>("[data-cart-bar]");
  const notice = place?.querySelector<HTMLElement>("[data-cart-notice]");
  if (!place || !bar || !notice) return;
  const restaurant = place.dataset.cart ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = (): void => {
    const items = readCart(restaurant);
    const { portions, cents } = cartFigures(items, place.dataset.taxRate ?? "0");
    bar.hidden = portions === 0 && notice.hidden;
    for (const count of bar.querySelectorAll("[data-cart-count]"))
      count.replaceChildren(String(portions));
    bar.querySelector("[data-cart-sum]")?.replaceChildren(formatCents(cents));
    for (const button of document.querySelectorAll<HTMLElement>("[data-add-to-cart]")) {
      // Of a special that has closed, it stays away.
      const offer = button.closest("[data-offer]");
      button.hidden = Boolean(offer?.querySelector("[data-preorder][aria-disabled]"));
      const item = items.find(({ offerId }) => offerId === button.dataset.addToCart);
      const count = button.querySelector("[data-in-cart]");
      count?.replaceChildren(String(item?.quantity ?? ""));
      count?.parentElement?.toggleAttribute("hidden", !item);
    }
  };

  const leave = (): void => {
    notice.dataset.notice = "out";
    timer = setTimeout(() => {
      notice.hidden = true;
      draw();
    }, LEAVING);
  };

  const tell = (name: string, says = ""): void => {
    clearTimeout(timer);
    notice.querySelector("[data-cart-says]")?.replaceChildren(says);
    notice.querySelector("[data-cart-added]")?.replaceChildren(name);
    notice.dataset.notice = "in";
    notice.hidden = false;
    bar.hidden = false;
    sayAloud(`${says}: ${name}`);
    timer = setTimeout(leave, SHOWN);
  };

  /** The page may be older than the last portions: then the cart is as it was before. */
  const takeBackIfSoldOut = async (offerId: string, name: string, before?: CartItem) => {
    const answer = await askAhead(cartOffersUrl(restaurant, readCart(restaurant)));
    const { offers = [] }: Partial<CartOffers> = answer.ok ? await answer.json() : {};
    if (!offers.find(({ id }) => id === offerId)?.waitlistPath) return;
    const items = readCart(restaurant).filter((item) => item.offerId !== offerId);
    saveCart(restaurant, before ? [...items, before] : items);
    tell(name, notice.dataset.soldOut);
  };

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const opener = event.target.closest<HTMLElement>("[data-open-cart]");
    if (opener) {
      clearTimeout(timer);
      notice.hidden = true;
      draw();
      void openCart(place, { restaurant, opener: bar });
    }
    const add = event.target.closest<HTMLElement>("[data-add-to-cart]");
    const form = add?.closest("form") ?? null;
    if (!add || (form && !hasRoom(form))) return;
    const { addToCart: offerId = "", name = "", cents, most, closes } = add.dataset;
    const item = {
      offerId,
      name,
      unitCents: Number(cents),
      closesAt: closes,
      quantity: 1,
      ...wishes(form),
    };
    if (form) keepGuest(form);
    closeSheet();
    const items = readCart(restaurant);
    const before = items.find((each) => each.offerId === offerId);
    saveCart(restaurant, withItem(items, item, Number(most)));
    const time = form?.querySelector<HTMLSelectElement>("[name=slotId]")?.selectedOptions[0];
    const isCut = item.quantity + (before?.quantity ?? 0) > Number(most);
    const portions = isCut ? most : item.quantity;
    const added = isCut || item.quantity > 1 ? `${portions} × ${name}` : name;
    tell(time ? `${added} · ${timeOf(time)}` : added, notice.dataset[isCut ? "most" : "says"]);
    // What is in the cart isn't ordered a second time by the form's own button.
    const quantity = form?.querySelector<HTMLInputElement>("[name=quantity]");
    if (quantity) quantity.value = "1";
    quantity?.dispatchEvent(new Event("input", { bubbles: true }));
    // Offline, the cart says so when it's opened.
    takeBackIfSoldOut(offerId, name, before).catch(() => undefined);
    void fetchCart(place);
  });
  addEventListener(CART_CHANGED, draw);
  followOtherTabs();
  // A page that comes back from the browser's memory may be older than the cart.
  addEventListener("pageshow", draw);
  draw();
}
