/** Subtotal, tax and total of one order in cents; tax rounds half up, as the server does (DECISIONS X4). */
export function orderSum(unitCents: number, taxRateBasisPoints: number, quantity: number) {
  const subtotal = unitCents * quantity;
  const tax = Math.floor((subtotal * taxRateBasisPoints + 5_000) / 10_000);
  return { subtotal, tax, total: subtotal + tax };
}
