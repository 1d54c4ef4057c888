// Written the American way in every language we have, with the sign of the page's currency: the
// server's `formats.money` (decision 36). Tests of both use the examples in `amounts.json`.
const written = new Map<string, Intl.NumberFormat>();

/** The currency of the page, such as 'eur'. A page is about one restaurant, or the platform. */
export const pageCurrency = () => document.documentElement.dataset.currency || "usd";

function format(currency: string): Intl.NumberFormat {
  let found = written.get(currency);
  if (!found) {
    found = new Intl.NumberFormat("en-US", { style: "currency", currency });
    written.set(currency, found);
  }
  return found;
}

/** '$1,234.50', '€8.00' from whole cents. */
export function formatCents(cents: number, currency = pageCurrency()): string {
  return format(currency).format(cents / 100);
}

/** The sign before an amount: '$', 'CA$', '€'. */
export function currencySign(currency = pageCurrency()): string {
  return format(currency)
    .format(0)
    .replace(/\s*0\.00$/, "");
}

/**
 * Whole cents from typed or sent text such as '24', '24.5', '$1,234.50'; null when it is no amount,
 * or has another currency's sign. 'CA$' may be typed as '$'.
 */
export function parseCents(text: string): number | null {
  const typed = text.trim();
  const own = currencySign();
  const sign = [own, "$"].find((one) => own.endsWith(one) && typed.startsWith(one)) ?? "";
  const plain = typed
    .slice(sign.length)
    .trim()
    .replace(/,(?=\d{3}(\D|$))/g, "");
  const match = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(plain);
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** '24.00' from whole cents: the API's format for money. */
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

/** An amount that is taken off: '−$2.21', and '$0.00' without a sign. */
export function lessDecimal(decimal: string): string {
  return Number(decimal) > 0 ? `−${formatDecimal(decimal)}` : formatDecimal(decimal);
}

/** What a guest saves: cents and whole percent of the regular price. */
export function savings(regularCents: number, specialCents: number) {
  const cents = Math.max(0, regularCents - specialCents);
  return { cents, percent: regularCents > 0 ? Math.round((100 * cents) / regularCents) : 0 };
}
