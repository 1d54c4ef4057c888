/** Free offers in a calendar month (C1). */
export const FREE_OFFERS = 10;
const WARN_FROM = 8;

export type FreeOffers =
  | { kind: "plenty" }
  | { kind: "warning"; remaining: number }
  | { kind: "reached" };

/** Where a free-tier restaurant stands this month (C2: remaining is 10 minus the count). */
export function freeOffers(count: number): FreeOffers {
  if (count >= FREE_OFFERS) return { kind: "reached" };
  if (count >= WARN_FROM) return { kind: "warning", remaining: FREE_OFFERS - count };
  return { kind: "plenty" };
}
