/**
 * The text typed into a form, saved until the form is sent, so that a reload or a lost connection
 * doesn't lose it. Secrets are never saved.
 */
type DraftKey =
  | "restaurant_login_form"
  | "restaurant_register_form"
  | "special_offer_form"
  | "team_invitation_form"
  | "web_address_form";

const SECRET = /password|token/i;

export function saveDraft(key: DraftKey, values: Record<string, unknown>): void {
  const saved = Object.entries(values).filter(
    ([name, value]) => typeof value === "string" && !SECRET.test(name),
  );
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(saved)));
  } catch {
    // Storage is off or full: the form works without a draft.
  }
}

/** The texts that were saved, or none; a damaged draft is cleared. */
export function readDraft(key: DraftKey): Record<string, string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const texts = Object.entries(value).filter(([, text]) => typeof text === "string");
      return Object.fromEntries(texts);
    }
  } catch {
    // Damaged: cleared below.
  }
  clearDraft(key);
  return {};
}

export function clearDraft(key: DraftKey): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is off: there was no draft.
  }
}
