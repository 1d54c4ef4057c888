/** The diet that was chosen last in this tab. */
export const DIET = "diet";

/**
 * The way back to the list of specials is to the one that the guest came from, such as in another language
 * or with a diet chosen; by way of an order or another special, with the diet chosen last.
 */
export function leadBackToList(): void {
  const list = document.querySelector<HTMLAnchorElement>("[data-back-to-list]");
  if (!list) return;
  const { origin, pathname, search } = new URL(document.referrer || location.href);
  if (origin === list.origin && pathname === list.pathname) {
    list.search = search;
    return;
  }
  try {
    const diet = sessionStorage.getItem(DIET);
    const wishes = new URLSearchParams(list.search);
    if (diet) wishes.set(DIET, diet);
    list.search = wishes.toString();
  } catch {
    // Storage is off.
  }
}
