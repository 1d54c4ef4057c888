import { PhoneCall } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { OrderPage, Special } from "@/api/types";
import { todayIn } from "@/lib/times";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useOrders } from "../api/list-orders";
import { useFilters } from "../hooks/use-filters";
import { useOpenOrder } from "../hooks/use-open-order";
import { everything, isFiltered } from "../lib/filters";
import { counted } from "../lib/order-labels";
import { daysOf, withoutRepeats } from "../lib/pages";
import { BulkBar } from "./bulk-bar";
import { ExportMenu } from "./export-menu";
import { OrderFiltersBar } from "./order-filters";
import { OrderSheet } from "./order-sheet";
import { OrderTable } from "./order-table";
import { PhoneOrderDialog } from "./phone-order-dialog";

interface OrderListProps {
  initial: OrderPage | undefined;
  /** The offers to choose from. */
  offers: Special[];
  timeZone: string;
  canFulfill: boolean;
  canEdit: boolean;
  canExport: boolean;
  besideLedger?: boolean;
  /** Another one whenever something has changed; see `useLive`. */
  version: string;
}

const none: ReadonlySet<string> = new Set();

/** The list of orders: who ordered what, and the status of each order and payment. */
export function OrderList(props: OrderListProps) {
  const { initial, offers, timeZone, canFulfill, canEdit, canExport, besideLedger, version } =
    props;
  const today = todayIn(timeZone);
  const [filters, setFilters] = useFilters();
  const { list, refresh, onView, arrived } = useOrders(filters, initial, version, today);
  const [selected, setSelected] = useState(none);
  const [phoning, setPhoning] = useState(false);
  const opened = useOpenOrder();

  const pages = useMemo(() => withoutRepeats(list.data?.pages ?? []), [list.data]);
  const all = useMemo(() => pages.flat(), [pages]);
  const dayTotals = useMemo(() => daysOf(list.data?.pages ?? []), [list.data]);
  const chosen = useMemo(() => all.filter(({ id }) => selected.has(id)), [all, selected]);
  const totals = list.data?.pages[0]?.totals;
  const days = list.data?.pages[0]?.days ?? [];
  const newIds = useMemo(() => new Set(arrived.map(({ id }) => id)), [arrived]);

  const select = useCallback((ids: string[], on: boolean) => {
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (on) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is out of sight is not chosen
  useEffect(() => setSelected(none), [filters]);

  function readAgain(ids: string[]) {
    const changed = new Set(ids);
    for (const [index, orders] of pages.entries()) {
      if (orders.some(({ id }) => changed.has(id))) void refresh(index).catch(() => undefined);
    }
    setSelected(none);
  }

  const filtered = isFiltered(filters);
  // Before the first order there is nothing to search or export.
  const isEmpty = list.data !== undefined && all.length === 0 && !filtered;
  return (
    <section aria-labelledby="orders-title" className="stack rhythm-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          {/* If the ledger is beside them, the buttons above say which of the two is shown. */}
          <h2 id="orders-title" className={besideLedger ? "visually-hidden" : undefined}>
            Orders
          </h2>
          <p className="muted small" role="status">
            {totals ? summaryOf(totals) : "\u00a0"}
          </p>
        </div>
        <div className="cluster orders-tools">
          {canExport && !isEmpty && <ExportMenu filters={filters} />}
          {canEdit && (
            <Button variant="primary" onClick={() => setPhoning(true)}>
              <PhoneCall size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Add phone order
            </Button>
          )}
        </div>
      </div>
      {!isEmpty && (
        <OrderFiltersBar
          filters={filters}
          onChange={setFilters}
          offers={offers}
          days={days}
          today={today}
        />
      )}
      <p className="visually-hidden" role="status">
        {arrived.length > 0 && counted(arrived.length, "new order")}
      </p>
      {list.isError && (
        <Notice tone="berry" urgent>
          <p>We couldn't load your orders. Nothing about them has changed.</p>
          <Button
            size="small"
            className="self-start"
            busy={list.isFetching}
            onClick={() => void list.refetch()}
          >
            Try again
          </Button>
        </Notice>
      )}
      {list.isPending && <SkeletonRows rows={6} label="Loading orders" />}
      {list.data && all.length === 0 && !list.isFetching && (
        <div className="card">
          {filtered ? (
            <EmptyState
              title="No matching orders"
              action={<Button onClick={() => setFilters(everything)}>Clear filters</Button>}
            >
              {filters.q
                ? `Nothing matches “${filters.q}”. Codes have eight characters; search phone numbers by their digits.`
                : "Try removing a filter."}
            </EmptyState>
          ) : (
            <EmptyState title="No orders yet">
              Orders appear here as soon as a guest's card is on hold. Got a call? Add a phone
              order.
            </EmptyState>
          )}
        </div>
      )}
      {all.length > 0 && (
        <div aria-busy={list.isPlaceholderData || undefined} className="orders-shown">
          <OrderTable
            pages={pages}
            total={totals?.rows ?? all.length}
            timeZone={timeZone}
            today={today}
            days={dayTotals}
            selected={selected}
            onSelect={canFulfill || canEdit ? select : null}
            onOpen={opened.open}
            onView={onView}
            arrived={newIds}
          />
        </div>
      )}
      {list.hasNextPage && !list.isPlaceholderData && (
        <div className="stack items-center rhythm-1.5">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
          {totals && (
            <p className="small muted">
              {all.length.toLocaleString("en-US")} of {totals.rows.toLocaleString("en-US")} shown
            </p>
          )}
        </div>
      )}
      <BulkBar orders={chosen} onClear={() => setSelected(none)} onDone={readAgain} />
      {phoning && (
        <PhoneOrderDialog
          offers={offers}
          offerId={filters.offer}
          timeZone={timeZone}
          onClose={() => setPhoning(false)}
        />
      )}
      {opened.id && <OrderSheet id={opened.id} timeZone={timeZone} onClose={opened.close} />}
    </section>
  );
}

/** The orders that count, and how many of the list don't. */
function summaryOf({ rows, orders, portions }: OrderPage["totals"]): string {
  const summary = `${counted(orders, "order")}, ${counted(portions, "portion")}`;
  return rows > orders ? `${summary} · ${rows - orders} canceled or without a card` : summary;
}
