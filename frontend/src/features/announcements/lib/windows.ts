/**
 * Browsers let a page open a window only while a press is being handled, and our answer comes later.
 * So an empty one is opened at once and led on when the address is known. Null when it was held back.
 */
export function openEmpty(): Window | null {
  return window.open("about:blank", "_blank");
}

/** Leads the window to another site, which gets no handle on this page; false without a window. */
export function leadOn(opened: Window | null | undefined, url: string): boolean {
  if (!opened || opened.closed) return false;
  opened.opener = null;
  opened.location.href = url;
  return true;
}
