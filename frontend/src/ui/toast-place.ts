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
