import type { OrderDetail } from "@/api/types";
import { parseCents } from "@/lib/money";

export interface RefundOutcome {
  /** Whole cents that go back to the diner. */
  back: number;
  /** Whole cents of the fees that come back to the restaurant, in proportion. */
  fees: number;
  /** Whole cents by which the payout shrinks. */
  lessPayout: number;
}

const cents = (decimal: string) => parseCents(decimal) ?? 0;

/** Whole cents that may still be given back. */
export const refundable = ({ total, refunded }: OrderDetail["money"]) =>
  cents(total) - cents(refunded);

/** Why this amount cannot be given back; null when it can. */
export function refundProblem(text: string, money: OrderDetail["money"]): string | null {
  const amount = parseCents(text);
  if (amount === null || amount <= 0) return "Type an amount such as 12.50.";
  if (amount > refundable(money)) return "That is more than was charged and is still left.";
  return null;
}

/**
 * What giving back `amount` cents comes to. Each fee returns in proportion to the charge. The fees
 * and the payout in `money` are what is left of them after earlier refunds.
 */
export function refundOutcome(amount: number, money: OrderDetail["money"]): RefundOutcome {
  const left = refundable(money);
  const fees = [money.revenueShare, money.processingFee]
    .map((fee) => (left > 0 ? Math.round((cents(fee) * amount) / left) : 0))
    .reduce((sum, part) => sum + part, 0);
  return { back: amount, fees, lessPayout: amount - fees };
}
