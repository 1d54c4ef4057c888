import { DIET } from "./way-back";

/** In the middle of its row, which scrolls on a phone, so that its neighbors can be chosen next. */
function center(chips: Element, chip: Element): void {
  const row = chips.getBoundingClientRect();
  const { left, width } = chip.getBoundingClientRect();
  chips.scrollLeft += left + width / 2 - row.left - row.width / 2;
}

function withDiet(address: string, diet: string): string {
  const url = new URL(address);
  if (diet) url.searchParams.set(DIET, diet);
  else url.searchParams.delete(DIET);
  return url.href;
}

function keepInTab(diet: string): void {
  try {
    sessionStorage.setItem(DIET, diet);
  } catch {
    // Storage is off.
  }
}

/**
 * The chosen diet is in the page's address, where the server finds it for a guest who comes back: with
 * the browser's Back, or with a special's link to the list (way-back.ts). So are the
 * page's links to its other languages.
 */
export function keepDiet(): void {
  const chips = document.querySelector<HTMLElement>(".diet-filter");
  const chosen = chips?.querySelector<HTMLInputElement>(":checked");
  if (!chips || !chosen) return;
  keepInTab(chosen.value);
  if (chosen.value) center(chips, chosen);
  chips.addEventListener("change", ({ target }) => {
    const { value } = target as HTMLInputElement;
    history.replaceState(history.state, "", withDiet(location.href, value));
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]"))
      link.href = withDiet(link.href, value);
    keepInTab(value);
    center(chips, target as HTMLInputElement);
  });
}
