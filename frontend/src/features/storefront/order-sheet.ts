import { gettext } from "../../lib/i18n";
import { SHEET_OPENED } from "./express";

const NARROW = "(width < 60rem)";

/**
 * On a phone the order form opens as a sheet from the bar at the bottom. The form returns to its
 * place in the document when the sheet is closed; without a script it stays there.
 */
export function startOrderSheet(): void {
  const place = document.querySelector<HTMLElement>("[data-sheet-form]");
  const opener = document.querySelector<HTMLElement>("[data-open-sheet]");
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
    place.before(stand);
    place.removeAttribute("data-closed");
    sheet.append(place);
    // Also while the page leads to the payment of an order that waits for it.
    place.querySelector("[data-preorder]")?.classList.add("button-primary");
    sheet.showModal();
    // What a link or an error leads to stays below the head, whatever the name's lines.
    sheet.style.scrollPaddingTop = `${head.offsetHeight + 10}px`;
    sheet.focus(); // and not the button that closes it
    place.dispatchEvent(new Event(SHEET_OPENED));
  };
  sheet.addEventListener("close", () => {
    stand.replaceWith(place);
    place.setAttribute("data-closed", "");
    opener.focus();
  });
  // A tap beside the sheet closes it.
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  opener.addEventListener("click", (event) => {
    if (!narrow.matches || !opener.hasAttribute("href")) return;
    event.preventDefault();
    open();
  });
  narrow.addEventListener("change", () => {
    if (!narrow.matches && sheet.open) sheet.close();
    place.removeAttribute("data-closed");
  });
  if (narrow.matches && (location.hash === "#pre-order" || place.hasAttribute("data-stands"))) {
    open();
  }
}
