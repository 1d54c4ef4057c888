import type { CartLine } from "@/lib/cart-store";
import { orderSum } from "@/lib/order-sum";

/**
 * The cart in cents. Each line is an order of its own, so tax is rounded for each, as the server
 * rounds it (X4, X23).
 */
export function cartSums(lines: CartLine[], taxRate: string) {
  const basisPoints = Math.round(Number(taxRate) * 100);
  const sums = { subtotal: 0, tax: 0, total: 0 };
  for (const { unitCents, quantity } of lines) {
    const line = orderSum(unitCents, basisPoints, quantity);
    sums.subtotal += line.subtotal;
    sums.tax += line.tax;
    sums.total += line.total;
  }
  return sums;
}
