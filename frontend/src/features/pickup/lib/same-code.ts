/** A code that stays before the camera is read many times a second; it counts once. */
const OUT_OF_SIGHT = 3_000;

/** Tells whether a scanned text is new: not the one that has been in sight until just now. */
export function codeFilter(now: () => number = Date.now) {
  let last = "";
  let seenAt = 0;
  return (text: string): boolean => {
    const isNew = text !== last || now() - seenAt > OUT_OF_SIGHT;
    last = text;
    seenAt = now();
    return isNew;
  };
}
