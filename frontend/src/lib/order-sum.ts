/**
 * Subtotal, tax, and total of one order in cents; `taxRate` is in percent, with up to four
 * decimals. Tax rounds half up, as the server does (DECISIONS X4).
 */
export function orderSum(unitCents: number, taxRate: string, quantity: number) {
  const subtotal = unitCents * quantity;
  // In whole parts per million, so that no fraction of a cent is lost.
  const rate = Math.round(Number(taxRate) * 10_000);
  const tax = Math.floor((subtotal * rate + 500_000) / 1_000_000);
  return { subtotal, tax, total: subtotal + tax };
}
