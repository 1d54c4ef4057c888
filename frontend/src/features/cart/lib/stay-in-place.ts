/**
 * A field that a guest uses doesn't move when `place` above it grows or shrinks: what scrolls both
 * scrolls instead. Returns how to stop.
 */
export function stayInPlace(
  place: HTMLElement,
  fields: HTMLElement,
  scroller: HTMLElement,
): () => void {
  const stop = new AbortController();
  let isUsed = false;
  let height = place.offsetHeight;
  const use = (target: EventTarget | null): void => {
    if (!(target instanceof Node) || !fields.contains(target) || place.contains(target)) return;
    isUsed = Boolean(place.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING);
  };
  const note = ({ target }: Event): void => use(target);
  use(document.activeElement);
  fields.addEventListener("pointerdown", note, stop);
  fields.addEventListener("focusin", note, stop);
  // The browser would do it as well, but not from the top, and not every browser does.
  scroller.style.setProperty("overflow-anchor", "none");
  const observer = new ResizeObserver(() => {
    const grown = place.offsetHeight - height;
    height = place.offsetHeight;
    if (isUsed) scroller.scrollTop += grown;
  });
  observer.observe(place);
  return () => {
    stop.abort();
    observer.disconnect();
    scroller.style.removeProperty("overflow-anchor");
  };
}
