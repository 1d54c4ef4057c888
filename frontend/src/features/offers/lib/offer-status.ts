import type { Special } from "@/api/types";

/** The badge's label. The seats' sentence gives the outcome. */
export function statusLabel(offer: Pick<Special, "status">): string {
  const words: Record<string, string> = {
    active: "Active",
    expired: "Expired",
    deleted: "Deleted",
  };
  return words[offer.status] ?? offer.status;
}

/** How a closed offer ended; empty while it is open. */
export function outcomeLabel(offer: Pick<Special, "status" | "wasSuccessful">): string {
  if (offer.status !== "expired") return "";
  if (offer.wasSuccessful === null) return "Settling";
  return offer.wasSuccessful ? "Went ahead" : "Didn't make it";
}

/** Active offers first by the nearest deadline, then the ended ones, newest first. */
export function inOrderOfUrgency(offers: Special[]): Special[] {
  const time = (offer: Special) => Date.parse(offer.preorderExpiresAt);
  const active = offers.filter((offer) => offer.status === "active");
  const ended = offers.filter((offer) => offer.status !== "active");
  return [
    ...active.sort((one, other) => time(one) - time(other)),
    ...ended.sort((one, other) => time(other) - time(one)),
  ];
}
