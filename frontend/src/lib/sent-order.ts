/**
 * Remembers in this tab that an order form was sent and not answered with an error, and the email
 * address in it. Somebody who comes back from the payment page with the browser's Back then sees that
 * their order waits for its card, and not that others ordered its portions.
 */
const key = (path: string) => `order-sent:${path}`;
const keyOf = (form: HTMLFormElement) => key(new URL(form.action).pathname);

export function noteSent(form: HTMLFormElement, isSent: boolean): void {
  try {
    if (isSent) sessionStorage.setItem(keyOf(form), emailIn(form));
    else sessionStorage.removeItem(keyOf(form));
  } catch {
    // Storage is off: the page says what it says to everybody.
  }
}

const emailIn = (form: HTMLFormElement) =>
  (form.elements.namedItem("customerEmail") as HTMLInputElement | null)?.value ?? "";

/** The address in the order form of a special that this tab sent, or nothing. */
export function sentEmail(offerId: string): string {
  try {
    return sessionStorage.getItem(key(`/specials/${offerId}/pre-order`))?.trim() ?? "";
  } catch {
    return "";
  }
}

/** Loads the form's page again, once, if it was sent from this tab: the browser shows a stored one. */
export function seeOwnOrder(form: HTMLFormElement, reload = () => location.reload()): void {
  try {
    if (sessionStorage.getItem(keyOf(form)) === null) return;
  } catch {
    return;
  }
  noteSent(form, false);
  reload();
}
