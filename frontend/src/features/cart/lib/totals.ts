import type { CartItemResult } from "@/api/types";
import type { CartItem } from "@/lib/cart-store";
import { formatCents, parseCents } from "@/lib/money";
import { orderSum } from "@/lib/order-sum";

/**
 * The cart in cents. Each item is an order of its own, so tax is rounded for each, as the server
 * rounds it (DECISIONS X4, DECISIONS X23).
 */
export function cartSums(items: CartItem[], taxRate: string) {
  const sums = { subtotal: 0, tax: 0, total: 0 };
  for (const { unitCents, quantity } of items) {
    const item = orderSum(unitCents, taxRate, quantity);
    sums.subtotal += item.subtotal;
    sums.tax += item.tax;
    sums.total += item.total;
  }
  return sums;
}

/** '$36.72': the sum of amounts such as '18.36'. */
export function sumOf(amounts: string[]): string {
  return formatCents(amounts.reduce((sum, amount) => sum + (parseCents(amount) ?? 0), 0));
}

/** What is held for these items. */
export const heldFor = (items: CartItemResult[]): string =>
  sumOf(items.map(({ totalAmount }) => totalAmount));
