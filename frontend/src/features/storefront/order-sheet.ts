import { gettext } from "../../lib/i18n";
import { SHEET_OPENED } from "./express";
import { timeOf } from "./slots";

const NARROW = "(width < 60rem)";

/** Says in `served`, "Tue, Dec 1 · 5:00–9:00 PM · Dine in or pickup", what the form has chosen of it. */
function showChosen(served: Element, form: ParentNode): void {
  const last = served.lastElementChild;
  const way = form.querySelector<HTMLInputElement>("[name=serviceMode]:checked")?.parentElement;
  const time = form.querySelector<HTMLSelectElement>("[name=slotId]")?.selectedOptions[0];
  const say = (part: Element | null, words?: string | null) => {
    const dot = part?.querySelector("i") ?? "";
    if (words) part?.replaceChildren(dot, words);
  };
  if (time && served.children.length < 3) last?.before(last.cloneNode(true), " ");
  say(served.children[1] ?? null, time && timeOf(time));
  say(last, way?.textContent);
}

type Movable = Node & { moveBefore?(node: Node, before: Node | null): void };

/** Where the browser can, the frames in it are moved as they are; in others they load again:
 * https://developer.mozilla.org/en-US/docs/Web/API/Element/moveBefore */
function moveTo(parent: Movable, place: Node, before: Node | null): void {
  if (parent.moveBefore) parent.moveBefore(place, before);
  else parent.insertBefore(place, before);
}

/** Whether the browser's entry is one with the open sheet. */
const isSheetEntry = () => Boolean(history.state?.sheet);

/**
 * On a phone the order form opens as a sheet from the bar at the bottom. Once it has been opened, the
 * form stays in the sheet, because the frames of wallets reload when they move; it returns to its place
 * in the document when the window gets wide, and never leaves it without a script.
 *
 * The open sheet has an entry in the browser's history, so Back closes it, and Forward opens it again.
 */
export function startOrderSheet(): void {
  const place = document.querySelector<HTMLElement>("[data-sheet-form]");
  const openers = document.querySelectorAll<HTMLElement>("[data-open-sheet]");
  let [opener] = openers;
  if (!place || !opener) return;
  const narrow = matchMedia(NARROW);
  const stand = document.createComment("form");
  const sheet = document.createElement("dialog");
  const title = document.querySelector("h1")?.textContent ?? "";
  sheet.className = "order-sheet";
  sheet.tabIndex = -1;
  sheet.setAttribute("aria-label", title);
  const head = document.createElement("div");
  head.className = "order-sheet-close";
  const name = document.createElement("span");
  name.textContent = title;
  const day = document.createElement("small");
  const served = place.closest("[data-offer]")?.querySelector(".when > .in-parts");
  if (served) day.append(served.cloneNode(true));
  const follow = () => day.firstElementChild && showChosen(day.firstElementChild, place);
  place.addEventListener("input", follow);
  addEventListener("pageshow", follow);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button button-quiet";
  close.textContent = "×";
  close.ariaLabel = gettext("Close");
  close.addEventListener("click", () => sheet.close());
  head.append(name, close, day);
  sheet.append(head);
  place.closest("[data-offer]")?.append(sheet);

  const open = (): void => {
    if (sheet.open) return;
    place.removeAttribute("data-closed");
    if (!sheet.contains(place)) {
      place.before(stand);
      moveTo(sheet, place, null);
    }
    // Also while the page leads to the payment of an order that waits for it.
    place.querySelector("[data-preorder]")?.classList.add("button-primary");
    follow();
    sheet.showModal();
    if (!isSheetEntry()) history.pushState({ ...history.state, sheet: true }, "");
    // What a link or an error leads to stays below the head, whatever the name's lines.
    sheet.style.scrollPaddingTop = `${head.offsetHeight + 10}px`;
    sheet.focus(); // and not the button that closes it
    place.dispatchEvent(new Event(SHEET_OPENED));
  };
  sheet.addEventListener("close", () => {
    place.setAttribute("data-closed", "");
    // The bar is hidden while a field of the form has the focus, and what is hidden can't take it:
    // https://html.spec.whatwg.org/multipage/interaction.html#focusable-area
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    opener?.focus();
    if (isSheetEntry()) history.back();
  });
  addEventListener("popstate", () => {
    if (!isSheetEntry()) sheet.close();
    else if (narrow.matches) open();
  });
  // A tap beside the sheet closes it.
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  for (const each of openers) {
    each.addEventListener("click", (event) => {
      if (!narrow.matches || !each.hasAttribute("href")) return;
      event.preventDefault();
      opener = each;
      open();
    });
  }
  narrow.addEventListener("change", () => {
    if (narrow.matches) return;
    sheet.close();
    if (stand.parentNode) moveTo(stand.parentNode, place, stand);
  });
  // What the guest has to know first isn't covered: an order that waits for its card, news of a friend.
  const isWanted =
    !document.querySelector("[data-before-sheet]") &&
    (location.hash === "#pre-order" || isSheetEntry());
  const stands = place.hasAttribute("data-stands");
  if (narrow.matches && (isWanted || stands)) open();
  if (stands) return; // the focus is on what is wrong
  // Going to the address's #pre-order, the browser takes the focus.
  addEventListener(
    "load",
    () => sheet.open && document.activeElement === document.body && sheet.focus(),
  );
}
