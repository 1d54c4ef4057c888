/**
 * Remembers in this tab that the order form of a special, <form data-order-form="{its id}">, was sent and
 * not answered with an error: from which page, and the email address in it. Somebody who comes back from
 * the payment page with the browser's Back then sees that their order waits for its card, and not that
 * others ordered its portions; with the page's own Back they get to the page the form is on.
 */
interface SentOrder {
  page: string;
  email: string;
}

const key = (offerId = "") => `order-sent:${offerId}`;

/** The address of the page that a form is on, which the form's own address is below. */
export const pageOf = (form: HTMLFormElement) =>
  new URL(form.action).pathname.replace(/\/[^/]+$/, "");

export function noteSent(form: HTMLFormElement): void {
  const field = form.elements.namedItem("customerEmail") as HTMLInputElement | null;
  const sent: SentOrder = { page: pageOf(form), email: field?.value.trim() ?? "" };
  try {
    sessionStorage.setItem(key(form.dataset.orderForm), JSON.stringify(sent));
  } catch {
    // Storage is off: the page says what it says to everybody.
  }
}

export function forgetSent(offerId?: string): void {
  try {
    sessionStorage.removeItem(key(offerId));
  } catch {
    // As above.
  }
}

/** What this tab sent for a special. */
export function sentOrder(offerId?: string): SentOrder | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(offerId)) ?? "null");
  } catch {
    return null;
  }
}

/** Loads the form's page again, once, if it was sent from this tab: the browser shows a stored one. */
export function seeOwnOrder(form: HTMLFormElement, reload = () => location.reload()): void {
  const { orderForm } = form.dataset;
  if (!sentOrder(orderForm)) return;
  forgetSent(orderForm);
  reload();
}
