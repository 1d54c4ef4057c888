/** Which orders are shown, by the names that the address and the API use; '' is 'all'. */
export interface OrderFilters {
  q: string;
  offer: string;
  /** Serve date, 'YYYY-MM-DD'. */
  day: string;
  status: string;
  payment: string;
}

export const everything: OrderFilters = { q: "", offer: "", day: "", status: "", payment: "" };

const names = Object.keys(everything) as (keyof OrderFilters)[];

export const statusChoices: [value: string, label: string][] = [
  ["", "All"],
  ["pending", "Pending"],
  ["confirmed", "Ready for pickup"],
  ["fulfilled", "Picked up"],
  ["no_show", "No-show"],
  ["cancelled", "Canceled"],
];

export const paymentChoices: [value: string, label: string][] = [
  ["", "All"],
  ["unpaid", "Not paid"],
  ["authorized", "Card held"],
  ["captured", "Charged"],
  ["partially_refunded", "Partially refunded"],
  ["capture_failed", "Charge failed"],
  ["released", "Hold released"],
  ["refunded", "Refunded"],
];

/** The filters that an address asks for; what it does not name is 'all'. */
export function readFilters(search: string): OrderFilters {
  const params = new URLSearchParams(search);
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])) as never;
}

/** The address's query with these filters; its other parameters stay. */
export function writeFilters(search: string, filters: OrderFilters): string {
  const query = new URLSearchParams(search);
  for (const name of names) {
    if (filters[name]) query.set(name, filters[name]);
    else query.delete(name);
  }
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** The API's query: 'day=2026-11-24&q=maria', in a fixed order so that it can be a key. */
export function filtersQuery(filters: OrderFilters): string {
  const trimmed = { ...filters, q: filters.q.trim() };
  return writeFilters("", trimmed).slice(1);
}

/** How many filters are set besides the search and the serve day, which show themselves. */
export const filterCount = ({ offer, status, payment }: OrderFilters) =>
  [offer, status, payment].filter(Boolean).length;

export const isFiltered = (filters: OrderFilters) => filtersQuery(filters) !== "";
