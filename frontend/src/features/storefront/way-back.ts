/**
 * The way back from a special is the menu; for a guest who came from the list of specials it is the list.
 * Pages are cached, so only the browser knows.
 */
export function leadBackToList(): void {
  const list = document.querySelector<HTMLAnchorElement>("[data-back-to-list]");
  const menu = list?.previousElementSibling;
  if (!list || !(menu instanceof HTMLElement) || !document.referrer) return;
  const { origin, pathname, search } = new URL(document.referrer);
  if (origin !== list.origin || pathname !== list.pathname) return;
  if (search) list.search = search; // such as its language
  menu.hidden = true;
  list.hidden = false;
}
