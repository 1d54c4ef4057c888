import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { useAddToMenu } from "@/api/add-to-menu";
import type { HistoryEntry } from "@/api/types";
import { classNames } from "@/ui/class-names";
import { columnNames, type SortColumn, type Sorting, sortedBy } from "../lib/sorting";
import { HistoryRow, ROOMY } from "./history-row";

interface HistoryTableProps {
  entries: HistoryEntry[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** The list in another order is being loaded. */
  busy: boolean;
  timeZone: string;
  canEdit: boolean;
  onRedeploy: (entry: HistoryEntry) => void;
}

/** A table whose headings sort it; on a phone cards, with the two orders above them. */
export function HistoryTable({
  entries,
  sorting,
  onSort,
  busy,
  timeZone,
  canEdit,
  onRedeploy,
}: HistoryTableProps) {
  const addToMenu = useAddToMenu();
  const sort = (column: SortColumn) => onSort(sortedBy(column, sorting));
  const ariaSort = (column: SortColumn) =>
    sorting.column !== column ? "none" : sorting.order === "asc" ? "ascending" : "descending";
  return (
    <>
      <fieldset className="cluster card:hidden">
        <legend className="visually-hidden">Sort by</legend>
        {(["date_entered", "name"] as const).map((column) => (
          <SortButton key={column} column={column} sorting={sorting} onSort={sort} framed />
        ))}
      </fieldset>
      <div className="table-frame" aria-busy={busy || undefined}>
        <table className="table-cards history-rows">
          <thead>
            <tr>
              <th scope="col" aria-sort={ariaSort("name")}>
                <SortHeading column="name" sorting={sorting} onSort={sort} />
              </th>
              <th scope="col">Price</th>
              <th scope="col">Pre-orders</th>
              <th scope="col">Status</th>
              <th scope="col" aria-sort={ariaSort("date_entered")}>
                <SortHeading column="date_entered" sorting={sorting} onSort={sort} />
              </th>
              <th scope="col" className={ROOMY}>
                Serve date
              </th>
              {canEdit && <th scope="col">Actions</th>}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <HistoryRow
                key={entry.id}
                entry={entry}
                timeZone={timeZone}
                canEdit={canEdit}
                adding={addToMenu.isPending && addToMenu.variables === entry.id}
                onAddToMenu={addToMenu.mutate}
                onRedeploy={onRedeploy}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface SortProps {
  column: SortColumn;
  sorting: Sorting;
  onSort: (column: SortColumn) => void;
}

/** A hidden heading takes no focus: on a phone it only labels a value. */
function SortHeading(props: SortProps) {
  return (
    <>
      <span className="card:hidden">{columnNames[props.column]}</span>
      <span className="max-card:hidden">
        <SortButton {...props} />
      </span>
    </>
  );
}

const directions = { asc: "ascending", desc: "descending" };

function SortButton({ column, sorting, onSort, framed = false }: SortProps & { framed?: boolean }) {
  const chosen = sorting.column === column;
  const Arrow = !chosen ? ArrowUpDown : sorting.order === "asc" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={classNames(
        framed
          ? "button button-small"
          : "inline-flex min-h-8 cursor-pointer items-center gap-1 font-semibold hover:text-ink",
        chosen && "text-ink",
      )}
      aria-pressed={framed ? chosen : undefined}
      onClick={() => onSort(column)}
    >
      {columnNames[column]}
      <Arrow
        size="1rem"
        strokeWidth={1.5}
        aria-hidden="true"
        className={chosen ? "" : "opacity-60"}
      />
      {framed && chosen && <span className="visually-hidden">, {directions[sorting.order]}</span>}
    </button>
  );
}
