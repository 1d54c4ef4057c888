const SECOND = 1000;

/**
 * Redirects from an error page to [data-lead-to] once its seconds are over, unless the reader stops
 * it: https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable.html
 */
export function startLeadingOn(go: (address: string) => void): void {
  const words = document.querySelector<HTMLElement>("[data-lead-to]");
  const shown = words?.querySelector("[data-seconds]");
  if (!words || !shown) return;
  let left = Number(shown.textContent);
  words.hidden = false;
  const timer = setInterval(() => {
    left -= 1;
    shown.textContent = String(left);
    if (left > 0) return;
    clearInterval(timer);
    go(words.dataset.leadTo ?? "/");
  }, SECOND);
  words.querySelector("button")?.addEventListener("click", () => {
    clearInterval(timer);
    words.hidden = true;
    document.querySelector<HTMLElement>("main a")?.focus();
  });
}
