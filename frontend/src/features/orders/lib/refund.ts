import type { OrderDetail } from "@/api/types";
import { parseCents } from "@/lib/money";

const cents = (decimal: string) => parseCents(decimal) ?? 0;

/** Whole cents that may still be refunded. */
export const refundable = ({ total, refunded }: OrderDetail["money"]) =>
  cents(total) - cents(refunded);

/** Why this amount cannot be refunded; null when it can. */
export function refundProblem(text: string, money: OrderDetail["money"]): string | null {
  const amount = parseCents(text);
  if (amount === null || amount <= 0) return "Enter an amount such as 12.50.";
  if (amount > refundable(money)) return "You can refund at most the remaining amount.";
  return null;
}
