import { gettext, interpolate, ngettext } from "../../lib/i18n";

/** What an order of so many portions does for a special that lacks `missing`; empty for none. */
function sentence(portions: number, missing: number): string {
  if (missing <= 0) return "";
  if (portions < missing) {
    return interpolate(gettext("With yours, %s more and it's on"), [missing - portions]);
  }
  const made = ngettext(
    "Your portion makes it happen!",
    "Your %s portions make it happen!",
    portions,
  );
  return interpolate(made, [portions]);
}

/**
 * Shows what an order of so many portions would do for a special that is short: its places are marked
 * [data-yours], and every [data-with-yours] says whether it would be on.
 */
export function showWithYours(offer: ParentNode, portions: number): void {
  const { state, filled, minimum } = offer.querySelector<HTMLElement>(".seats")?.dataset ?? {};
  const missing = state === "open" ? Number(minimum) - Number(filled) : 0;
  const free = offer.querySelectorAll(".seat:not([data-filled], [data-being-ordered])");
  free.forEach((place, index) => {
    place.toggleAttribute("data-yours", index < portions && missing > 0);
  });
  const words = sentence(portions, missing);
  for (const line of offer.querySelectorAll<HTMLElement>("[data-with-yours]")) {
    line.hidden = !words;
    if (line.textContent !== words) line.textContent = words;
  }
}
