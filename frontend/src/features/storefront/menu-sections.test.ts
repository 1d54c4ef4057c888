import { afterEach, expect, test, vi } from "vitest";
import { markSections } from "./menu-sections";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test("the section in the middle of the window is marked, until another one is there", () => {
  const watched: Element[] = [];
  let report: (entries: { target?: Element; isIntersecting: boolean }[]) => void = () => undefined;
  class Observer {
    constructor(callback: typeof report, options: IntersectionObserverInit) {
      report = callback;
      expect(options).toEqual({ rootMargin: "-50% 0px" });
    }
    observe = (section: Element) => watched.push(section);
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  document.body.innerHTML = `<div class="menu-bar"><nav><a href="#specials">Specials</a><a href="#menu">Menu</a></nav></div>
    <section><h2 id="specials">Specials</h2></section><section><h2 id="menu">Menu</h2></section>`;
  const current = () => document.querySelector("[aria-current=true]")?.textContent;
  markSections();
  const [specials, menu] = watched;
  expect(current()).toBeUndefined();
  report([
    { target: specials, isIntersecting: true },
    { target: menu, isIntersecting: false },
  ]);
  expect(current()).toBe("Specials");
  report([{ target: specials, isIntersecting: false }]);
  expect(current()).toBe("Specials");
  report([{ target: menu, isIntersecting: true }]);
  expect(current()).toBe("Menu");
});
