/** How many before the last free offer the warning begins (from 8 of 10). */
const WARN_BEFORE = 2;

/** The free plan's month: how many offers are free, and the share of the orders of later ones. */
export interface FreePlan {
  offersPerMonth: number;
  /** '3%' */
  laterShare: string;
}

type FreeOffers =
  | { kind: "plenty"; remaining: number }
  | { kind: "warning"; remaining: number }
  | { kind: "reached" };

/** The fee of the next special, once the free ones are used up; empty before. */
export function feeOfTheNext(count: number, plan: FreePlan): string {
  if (freeOffers(count, plan).kind !== "reached") return "";
  return (
    `You've published this month's ${plan.offersPerMonth} specials without a platform fee. ` +
    `This one carries ${plan.laterShare} of each order.`
  );
}

/** Where a free-tier restaurant stands this month (remaining is 10 minus the count). */
export function freeOffers(count: number, { offersPerMonth }: FreePlan): FreeOffers {
  const remaining = Math.max(0, offersPerMonth - count);
  if (remaining === 0) return { kind: "reached" };
  return { kind: remaining <= WARN_BEFORE ? "warning" : "plenty", remaining };
}
