const ORDER = /^\/restaurant\/orders\/([0-9a-f-]{36})$/;

/** The page of one order. */
export const orderAddress = (id: string) => `/restaurant/orders/${id}`;

/** The order whose page this path is; null for any other. */
export const orderInAddress = (path: string) => ORDER.exec(path)?.[1] ?? null;

/** An address of the API for the browser itself, which sends no header with the restaurant. */
export function ownAddress(path: string, query: URLSearchParams): string {
  const shown = document.querySelector<HTMLMetaElement>('meta[name="restaurant"]')?.content;
  if (shown) query.set("restaurant", shown);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
