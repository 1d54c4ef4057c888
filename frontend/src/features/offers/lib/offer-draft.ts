import { clearDraft, readDraft, saveDraft } from "@/lib/form-draft";
import type { OfferFormValues } from "./offer-schema";

/**
 * A special that was begun and not published, so that a broken connection or a closed dialog loses
 * nothing. It belongs to one restaurant and isn't used in another one's form.
 */
const KEY = "special_offer_form";

/** What makes a form worth keeping; the rest has defaults. */
const TYPED = ["name", "description", "price", "specialOfferPrice"] as const;

/**
 * `key` is the key to publish it with, so that presses before and after a reload publish one
 * special.
 */
export function saveOfferDraft(restaurant: string, values: OfferFormValues, key: string): void {
  if (!TYPED.some((name) => values[name].trim()) && !values.imageUrl) return;
  saveDraft(KEY, { restaurant, key, values: JSON.stringify(values) });
}

export const clearOfferDraft = () => clearDraft(KEY);

/**
 * What was typed, in the shape of `fresh`, and its key; null without a draft. Past dates are
 * replaced by those of `fresh`.
 */
export function readOfferDraft(
  restaurant: string,
  fresh: OfferFormValues,
  now: Date = new Date(),
): { values: OfferFormValues; key: string | null } | null {
  const draft = readDraft(KEY);
  if (draft.restaurant !== restaurant || !draft.values) return null;
  try {
    const saved: unknown = JSON.parse(draft.values);
    if (typeof saved !== "object" || saved === null) return null;
    const values = merged(fresh, saved as Record<string, unknown>);
    const key = draft.key || null;
    if (Date.parse(values.preorderExpiresAt) > now.getTime()) return { values, key };
    const { preorderExpiresAt, specialServeDate } = fresh;
    return { values: { ...values, preorderExpiresAt, specialServeDate }, key };
  } catch {
    return null;
  }
}

/** Every field of `fresh`, with the saved value where it has the field's own type. */
function merged(fresh: OfferFormValues, saved: Record<string, unknown>): OfferFormValues {
  const fits = (name: keyof OfferFormValues) => {
    const value = saved[name];
    if (name === "imageUrl") return value === null || typeof value === "string";
    if (Array.isArray(fresh[name])) {
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    }
    return typeof value === typeof fresh[name];
  };
  const names = (Object.keys(fresh) as (keyof OfferFormValues)[]).filter(fits);
  return { ...fresh, ...Object.fromEntries(names.map((name) => [name, saved[name]])) };
}
