import { afterEach, expect, test, vi } from "vitest";
import { markSections } from "./menu-sections";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test("the last section that begins above the middle of the window is marked", () => {
  const watched: Element[] = [];
  let look: () => void = () => undefined;
  class Observer {
    constructor(callback: typeof look, options: IntersectionObserverInit) {
      look = callback;
      expect(options).toEqual({ rootMargin: "-50% 0px" });
    }
    observe = (section: Element) => watched.push(section);
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.stubGlobal("innerHeight", 800);
  document.body.innerHTML = `<div class="menu-bar"><nav><a href="#specials">Specials</a><a href="#menu">Menu</a></nav></div>
    <section><h2 id="specials">Specials</h2></section><section><h2 id="menu">Menu</h2></section>`;
  const current = () => document.querySelector("[aria-current]")?.textContent;
  markSections();
  const at = (...tops: number[]) => {
    for (const [index, section] of watched.entries())
      section.getBoundingClientRect = () => ({ top: tops[index] }) as DOMRect;
    look();
    return current();
  };
  expect(watched).toHaveLength(2);
  expect(current()).toBeUndefined();
  expect(at(500, 1500)).toBeUndefined();
  expect(at(150, 1150)).toBe("Specials");
  expect(at(-600, 400)).toBe("Menu");
  // Scrolled past it at once, to the page's foot.
  expect(at(-2000, -1000)).toBe("Menu");
  expect(at(150, 1150)).toBe("Specials");
});
