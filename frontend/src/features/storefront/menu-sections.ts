/**
 * Of the links to a menu's sections, the one to the last section that begins above the middle of the
 * window is marked with aria-current; looked at whenever that middle comes into a section or leaves it.
 * https://developer.mozilla.org/en-US/docs/Web/API/IntersectionObserver/rootMargin
 */
export function markSections(): void {
  const links = new Map<Element, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".menu-bar > nav > a")) {
    const section = document.querySelector(link.hash)?.closest("section");
    if (section) links.set(section, link);
  }
  const observer = new IntersectionObserver(
    () => {
      let read: Element | undefined;
      for (const [section, link] of links) {
        if (section.getBoundingClientRect().top <= innerHeight / 2) read = link;
      }
      for (const link of links.values()) {
        if (link === read) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-50% 0px" },
  );
  for (const section of links.keys()) observer.observe(section);
}
