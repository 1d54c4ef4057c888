/** A dialog that begins higher than this has its title where toasts appear (CSS pixels). */
const NEAR_THE_TOP = 96;
const GAP = 8;

/** Keeps toasts below the title of the dialog that is open, if they would cover it. */
export function placeToasts(): void {
  const head = [...document.querySelectorAll(".dialog-head")].at(-1)?.getBoundingClientRect();
  const root = document.documentElement.style;
  if (head && head.top < NEAR_THE_TOP) root.setProperty("--toast-top", `${head.bottom + GAP}px`);
  else root.removeProperty("--toast-top");
}

/** A toast that appears this shortly before a dialog belongs to it. */
const WITH_THE_DIALOG_MS = 1000;
let shown = { since: 0, end: () => {} };

/** A toast appears, which `end` takes away. Dialogs don't know the toaster: public pages have none. */
export function noteToast(end: () => void): void {
  shown = { since: Date.now(), end };
  placeToasts();
}

/**
 * A dialog opens: an earlier toast would cover its fields, for as long as the pointer is on the
 * toast.
 */
export function makeRoomForDialog(): void {
  if (Date.now() - shown.since > WITH_THE_DIALOG_MS) shown.end();
  placeToasts();
}
