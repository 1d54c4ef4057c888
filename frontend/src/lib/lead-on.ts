const SECOND = 1000;

/**
 * Redirects from an error page to [data-lead-to] once its seconds are over, unless the reader stops
 * it (https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable.html) or does something else, such
 * as correct the address: then the window loses the focus.
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
  const stay = (): void => {
    clearInterval(timer);
    words.hidden = true;
  };
  for (const doing of ["blur", "keydown", "wheel"]) addEventListener(doing, stay, { once: true });
  words.querySelector("button")?.addEventListener("click", () => {
    stay();
    document.querySelector<HTMLElement>("main a")?.focus();
  });
}
