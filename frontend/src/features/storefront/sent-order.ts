/**
 * Remembers in this tab that an order form was sent and not answered with an error. Somebody who comes
 * back from the payment page with the browser's Back then sees their own order as soon as its portions
 * are the last, and not that others ordered them.
 */
const key = (form: HTMLFormElement) => `order-sent:${new URL(form.action).pathname}`;

export function noteSent(form: HTMLFormElement, isSent: boolean): void {
  try {
    if (isSent) sessionStorage.setItem(key(form), "1");
    else sessionStorage.removeItem(key(form));
  } catch {
    // Storage is off: the page says what it says to everybody.
  }
}

/** Loads the special's page again, once, if its order form was sent from this tab. */
export function seeOwnOrder(offer: ParentNode, reload = () => location.reload()): void {
  const form = offer.querySelector<HTMLFormElement>("[data-order-form]");
  // While the browser is on its way to the payment page it stays on its way.
  if (!form || form.hasAttribute("data-sending")) return;
  try {
    if (!sessionStorage.getItem(key(form))) return;
  } catch {
    return;
  }
  noteSent(form, false);
  reload();
}
