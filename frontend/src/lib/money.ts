// Written the American way in every language we have: the platform's currency is the dollar.
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** '$1,234.50' from whole cents. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}

/** Whole cents from typed or sent text such as '24', '24.5', '$1,234.50'; null when it is no amount. */
export function parseCents(text: string): number | null {
  const plain = text.replace(/^\s*\$?\s*/, "").replace(/,(?=\d{3}(\D|$))/g, "");
  const match = /^(\d{1,8})(?:[.,](\d{1,2}))?\s*$/.exec(plain);
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** '24.00' from whole cents: the way money travels in the API. */
export function centsToDecimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** '$24.00' from the API's decimal string; the text itself when it is not a number. */
export function formatDecimal(decimal: string): string {
  const negative = decimal.startsWith("-");
  const cents = parseCents(negative ? decimal.slice(1) : decimal);
  if (cents === null) return decimal;
  return formatCents(negative ? -cents : cents);
}

/** What a diner saves: cents and whole per cent of the regular price. */
export function savings(regularCents: number, specialCents: number) {
  const cents = Math.max(0, regularCents - specialCents);
  return { cents, percent: regularCents > 0 ? Math.round((100 * cents) / regularCents) : 0 };
}
