/**
 * Of the links to a menu's sections, the one to the section in the middle of the window is marked with
 * aria-current; between two sections and below the last, that of the one before.
 * https://developer.mozilla.org/en-US/docs/Web/API/IntersectionObserver/rootMargin
 */
export function markSections(): void {
  const links = new Map<Element, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".menu-bar > nav > a")) {
    const section = document.querySelector(link.hash)?.closest("section");
    if (section) links.set(section, link);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const read = entries.find(({ isIntersecting }) => isIntersecting)?.target;
      if (!read) return;
      for (const [section, link] of links) {
        if (section === read) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-50% 0px" },
  );
  for (const section of links.keys()) observer.observe(section);
}
