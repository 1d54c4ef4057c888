import { parseCents } from "@/lib/money";

export interface OrderSums {
  subtotal: number;
  tax: number;
  total: number;
}

/** An order as the server reckons it, in cents; tax at `taxRate` percent, rounded half up (DECISIONS X4). */
export function orderSums(price: string, portions: number, taxRate: string): OrderSums {
  const subtotal = (parseCents(price) ?? 0) * portions;
  // In whole hundredths of a percent, so that no fraction of a cent is lost on the way.
  const rate = Math.round(Number(taxRate) * 100);
  const tax = Math.floor((subtotal * rate + 5000) / 10_000);
  return { subtotal, tax, total: subtotal + tax };
}
