import type { CheckIn, LookUp, StoredDay } from "../types";

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The order's id in the text of a QR code, or null for a short code. */
function idIn(text: string): string | null {
  return ID.exec(text)?.[0].toLowerCase() ?? null;
}

/** What the server would say about a code, as far as this device knows the day. */
export function lookUpLocally(text: string, day: StoredDay, waiting: CheckIn[]): LookUp {
  const id = idIn(text);
  const code = text.replace(/[\s-]+/g, "").toUpperCase();
  const found = day.orders.find(({ order }) =>
    id ? order?.id === id : order?.code.replace(/\s+/g, "").toUpperCase() === code,
  );
  if (!found?.order) {
    return {
      verdict: "unknown",
      sentence:
        "No order on this device has that code. It may be for another day, or newer than the list.",
      order: null,
    };
  }
  const { order } = found;
  if (waiting.some(({ orderId }) => orderId === order.id)) {
    return {
      verdict: "picked_up",
      sentence: "Already marked as picked up on this device. Don't hand anything over.",
      order: { ...order, actions: ["undo"] },
    };
  }
  return found;
}
