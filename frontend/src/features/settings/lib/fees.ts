/** The one fee schedule, from the server's settings; rates are in hundredths of a percent. */
export interface FeeSchedule {
  freeRate: number;
  brandedRate: number;
  /** What the restaurant's subscription costs a month, such as `$29.00`; empty without one. */
  monthlyFee: string;
  processingRate: number;
  processingFixedCents: number;
  freeOffers: number;
}

export type FeeTier = "free" | "branded";

/** Half up to the cent, as the server rounds (DECISIONS X5). */
const percentOf = (cents: number, rate: number) => Math.floor((cents * rate + 5000) / 10_000);

/** What is deducted from an order of this total, and what the restaurant is paid (DECISIONS X3). */
export function payoutOf(schedule: FeeSchedule, totalCents: number, rate: number) {
  const revenueShare = percentOf(totalCents, rate);
  const whole = percentOf(totalCents, schedule.processingRate) + schedule.processingFixedCents;
  const processing = Math.min(whole, totalCents - revenueShare);
  return { revenueShare, processing, payout: totalCents - revenueShare - processing };
}

/** The platform's share of a month's sales, without card processing. */
export const shareOf = (salesCents: number, rate: number) => percentOf(salesCents, rate);

/** '3%' or '4.9%'. */
export function formatRate(rate: number): string {
  return `${Number((rate / 100).toFixed(2))}%`;
}
