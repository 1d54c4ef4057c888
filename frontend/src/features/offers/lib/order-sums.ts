import { parseCents } from "@/lib/money";
import { orderSum } from "@/lib/order-sum";

export interface OrderSums {
  subtotal: number;
  tax: number;
  total: number;
}

/** An order of `portions` at `price` (a decimal string), in cents. */
export function orderSums(price: string, portions: number, taxRate: string): OrderSums {
  return orderSum(parseCents(price) ?? 0, taxRate, portions);
}
