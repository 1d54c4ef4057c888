/** Long enough for a bank's check; after that, the guest reloads the page or reads our email. */
const AT_MOST = 10 * 60_000;

const outcomeOf = (page: Document) => page.querySelector("[data-outcome]")?.textContent?.trim();

/**
 * Asks every few seconds whether an order's outcome has changed, and reloads the page when it
 * has. Until then, nothing moves under the reader: WCAG 2.2.1 forbids pages that refresh by a
 * timer, https://www.w3.org/WAI/WCAG22/Techniques/failures/F41
 */
export function startOutcome(load: (address: string) => void = (to) => location.replace(to)): void {
  const place = document.querySelector<HTMLElement>("[data-look-again]");
  if (!place) return;
  const address = place.dataset.address || location.href;
  const before = outcomeOf(document);
  const begun = Date.now();
  const timer = setInterval(async () => {
    if (Date.now() - begun > AT_MOST) return clearInterval(timer);
    if (document.hidden) return;
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (outcomeOf(page) === before) return;
      clearInterval(timer);
      load(address);
    } catch {
      // Offline for a moment; the next look may get through.
    }
  }, Number(place.dataset.lookAgain) * 1000);
}
