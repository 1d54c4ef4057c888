/**
 * The way back to the list of specials is to the one that the guest came from, such as in another language
 * or with a diet chosen.
 */
export function leadBackToList(): void {
  const list = document.querySelector<HTMLAnchorElement>("[data-back-to-list]");
  if (!list || !document.referrer) return;
  const { origin, pathname, search } = new URL(document.referrer);
  if (origin === list.origin && pathname === list.pathname) list.search = search;
}
