const KEY = "onboarding_banner_dismissed";

/** The restaurants whose checklist was put away on this device; `true` stands for all. */
function dismissed(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean);
  } catch {
    return []; // Storage is switched off: nothing is remembered.
  }
}

export function isDismissed(restaurantId: string): boolean {
  const known = dismissed();
  return known.includes("true") || known.includes(restaurantId);
}

export function dismiss(restaurantId: string): void {
  try {
    localStorage.setItem(KEY, [...new Set([...dismissed(), restaurantId])].join(" "));
  } catch {
    // It is put away for as long as this page is open.
  }
}
