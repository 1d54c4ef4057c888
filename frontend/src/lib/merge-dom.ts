import { Idiomorph } from "idiomorph";

/** What the page's script has changed itself, or what says what has just happened: it stays as it is,
 * and has an id, so that nothing else is taken for it. */
const OWN = "[data-push], [data-stays]";
/** Attributes that say how far the reader has opened a part. */
const READERS = ["open", "hidden"];

const isOwn = (node: Node) => node instanceof Element && node.matches(OWN);

/**
 * Changes an element to what the server says now and leaves alone what is the same in both: it stays
 * focused, open, and bound to its listeners, and a screen reader hears of nothing that didn't change.
 * https://github.com/bigskysoftware/idiomorph#usage
 */
export function mergeElement(current: Element, fresh: Element): void {
  Idiomorph.morph(current, fresh.cloneNode(true), {
    callbacks: {
      beforeNodeMorphed: (from: Node) => !isOwn(from),
      beforeNodeAdded: (node: Node) => !isOwn(node),
      beforeNodeRemoved: (node: Node) => !isOwn(node),
      beforeAttributeUpdated: (name: string) => !READERS.includes(name),
    },
  });
}
