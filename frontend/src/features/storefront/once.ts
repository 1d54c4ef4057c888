/** Sends the answer that was pressed in an email: one press in all. A program that only opens links to
 * look at them runs no script. */
export function sendAnswer(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-send-once]");
  const button = form?.querySelector<HTMLButtonElement>(`button[value="${form.dataset.sendOnce}"]`);
  if (form && button && !document.hidden) form.requestSubmit(button);
}

/** What a page says once, such as a welcome, is not said again after a reload. */
export function forgetWelcome(): void {
  const name = document.querySelector<HTMLElement>("[data-once]")?.dataset.once;
  if (!name) return;
  const address = new URL(location.href);
  address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
}

/**
 * Whoever comes back from the payment with the browser's Back finds the page at its top: it says what has
 * become of the order now, and has no form anymore where it was scrolled to. A browser keeps this for one
 * page in its history: https://developer.mozilla.org/en-US/docs/Web/API/History/scrollRestoration
 */
export function startAtTopAfterSending(): void {
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) history.scrollRestoration = "manual";
  });
}
