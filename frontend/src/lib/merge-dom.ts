/** What the page's script has changed itself, or what says what has just happened: it stays as it is. */
const OWN = "[data-push], [data-stays]";
/** Attributes that say how far the reader has opened a part. */
const READERS = new Set(["open", "hidden"]);

const isOwn = (node: Node | null) => node instanceof Element && node.matches(OWN);
const isSameKind = (node: Node, other: Node) =>
  node.nodeName === other.nodeName && (node as Element).id === (other as Element).id;

function copyAttributes(to: Element, from: Element): void {
  for (const { name } of [...to.attributes]) {
    if (!from.hasAttribute(name) && !READERS.has(name)) to.removeAttribute(name);
  }
  for (const { name, value } of [...from.attributes]) {
    if (!READERS.has(name) && to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}

/** The next child that `wanted` can be merged into: an element may stand further on, because what is
 * before it is gone. */
function counterpart(from: Node | null, wanted: Node): Node | null {
  if (!(wanted instanceof Element)) return from?.nodeName === wanted.nodeName ? from : null;
  for (let node = from; node; node = node.nextSibling) {
    if (isSameKind(node, wanted) && !isOwn(node)) return node;
  }
  return null;
}

/**
 * Changes an element to what the server says now and leaves alone what is the same in both: it stays
 * focused, open, and bound to its listeners, and a screen reader hears of nothing that didn't change.
 */
export function mergeElement(current: Element, fresh: Element): void {
  if (isOwn(current) || current.isEqualNode(fresh)) return;
  copyAttributes(current, fresh);
  let next: Node | null = current.firstChild;
  const dropBefore = (end: Node | null) => {
    while (next && next !== end) {
      const after: Node | null = next.nextSibling;
      if (!isOwn(next)) current.removeChild(next);
      next = after;
    }
  };
  for (const wanted of [...fresh.childNodes]) {
    if (isOwn(wanted)) continue;
    const same = counterpart(next, wanted);
    if (!same) {
      current.insertBefore(document.importNode(wanted, true), next);
      continue;
    }
    dropBefore(same);
    if (same instanceof Element && wanted instanceof Element) mergeElement(same, wanted);
    else if (same.nodeValue !== wanted.nodeValue) same.nodeValue = wanted.nodeValue;
    next = same.nextSibling;
  }
  dropBefore(null);
}
