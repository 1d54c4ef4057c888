import { interpolate, ngettext } from "./i18n";

/**
 * What an order of so many portions does for a special that lacks `missing`; empty for none. The
 * server says the same of an order in checkout (`sentence_with_yours` in `apps/offers/seats.py`).
 */
export function sentenceWithYours(portions: number, missing: number): string {
  if (missing <= 0) return "";
  if (portions < missing) {
    const more = missing - portions;
    const short = ngettext(
      "With yours, %s more and it's on",
      "With yours, %s more and it's on",
      more,
    );
    return interpolate(short, [more]);
  }
  const made = ngettext(
    "Your portion makes it happen!",
    "Your %s portions make it happen!",
    portions,
  );
  return interpolate(made, [portions]);
}
