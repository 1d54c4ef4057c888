export type SortColumn = "name" | "date_entered";

export interface Sorting {
  column: SortColumn;
  order: "asc" | "desc";
}

/** Newest first. */
export const firstSorting: Sorting = { column: "date_entered", order: "desc" };

export const columnNames: Record<SortColumn, string> = {
  name: "Name",
  date_entered: "Created",
};

/** The same column reverses the order; another one begins ascending. */
export function sortedBy(column: SortColumn, before: Sorting): Sorting {
  if (column !== before.column) return { column, order: "asc" };
  return { column, order: before.order === "asc" ? "desc" : "asc" };
}
