import type { HistoryEntry } from "@/api/types";

/**
 * A past special on its way from the history's own page to the dashboard, where its form opens
 *. Stored for this tab alone.
 */
const KEY = "redeployOfferData";
const TEXTS = ["id", "name", "description", "regularPrice", "specialOfferPrice"] as const;

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Record<string, unknown>;
  return (
    TEXTS.every((name) => typeof entry[name] === "string") &&
    typeof entry.minPreordersRequired === "number" &&
    typeof entry.maxPerOrder === "number" &&
    typeof entry.hasAlternative === "boolean"
  );
}

/** False if the browser stores nothing for us: then it can't be handed over. */
export function handOver(entry: HistoryEntry): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(entry));
    return true;
  } catch {
    return false;
  }
}

/** The special that was handed over, or null; it stays until `endHandover`. */
export function handedOver(): HistoryEntry | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return isEntry(value) ? value : null;
  } catch {
    return null;
  }
}

export function endHandover(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is off: nothing was handed over.
  }
}
