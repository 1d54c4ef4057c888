import { ChefHat, MessageSquareText, Phone, StickyNote, Users } from "lucide-react";
import { Fragment, type MouseEvent, memo, useEffect, useRef } from "react";
import type { Order, ServeDay } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { serviceModes } from "@/lib/service-modes";
import { formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { orderAddress } from "../lib/order-address";
import { counted, dayTitle, paymentTone, statusTone } from "../lib/order-labels";

// Displayed as a grid, so that rows out of sight cost nothing. The roles are repeated, because some
// browsers drop those of a table with another `display`.
const as = {
  table: { role: "table" },
  rows: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  dayHead: { role: "rowheader" },
  cell: { role: "cell" },
};

interface OrderTableProps {
  /** The orders page by page: a page is what is drawn, and read again, together. */
  pages: Order[][];
  total: number;
  timeZone: string;
  /** The day at the restaurant, 'YYYY-MM-DD'. */
  today: string;
  /** The totals of each serve day that is shown. */
  days: ReadonlyMap<string, ServeDay>;
  selected: ReadonlySet<string>;
  /** Null when the person may do nothing with many at once. */
  onSelect: ((ids: string[], selected: boolean) => void) | null;
  onOpen: (order: Order) => void;
  onView: (page: number, visible: boolean) => void;
  arrived: ReadonlySet<string>;
}

/** The orders under their serve days: a table on wide screens, cards on a phone. */
export function OrderTable({ pages, total, ...rows }: OrderTableProps) {
  const { selected, onSelect } = rows;
  const shown = pages.flat().map(({ id }) => id);
  const all = shown.length > 0 && shown.every((id) => selected.has(id));
  return (
    <table
      {...as.table}
      className="orders-table"
      aria-label="Orders"
      aria-rowcount={total + 1}
      data-selectable={onSelect ? "" : undefined}
    >
      <thead {...as.rows}>
        <tr {...as.row} className="order-row order-head">
          {onSelect && (
            <th {...as.head} className="order-select" scope="col">
              <input
                type="checkbox"
                aria-label="Select all orders shown"
                checked={all}
                ref={(box) => {
                  if (box) box.indeterminate = !all && selected.size > 0;
                }}
                onChange={() => onSelect(shown, !all)}
              />
            </th>
          )}
          {["Guest", "Order", "Pickup", "Total", "Status"].map((title) => (
            <th
              {...as.head}
              key={title}
              scope="col"
              className={title === "Total" ? "number" : undefined}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {pages.map((orders, page) => (
        <OrderRows
          // biome-ignore lint/suspicious/noArrayIndexKey: pages are never moved
          key={page}
          {...rows}
          page={page}
          orders={orders}
          dayBefore={pages.slice(0, page).flat().at(-1)?.offerServeDate}
        />
      ))}
    </table>
  );
}

type RowsProps = Omit<OrderTableProps, "pages" | "total"> & {
  page: number;
  orders: Order[];
  /** The serve day that the page before ends with: its heading stands there. */
  dayBefore: string | undefined;
};

// A page that did not change is not rendered again when another one loads.
const OrderRows = memo(function OrderRows({
  page,
  orders,
  dayBefore,
  today,
  days,
  onView,
  selected,
  arrived,
  ...row
}: RowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!body.current) return;
    const watcher = new IntersectionObserver(([entry]) => {
      onView(page, entry?.isIntersecting ?? false);
    });
    watcher.observe(body.current);
    return () => {
      watcher.disconnect();
      onView(page, false);
    };
  }, [onView, page]);
  return (
    <tbody {...as.rows} ref={body} className="orders-page">
      {orders.map((order, place) => (
        <Fragment key={order.id}>
          {order.offerServeDate !== (orders[place - 1]?.offerServeDate ?? dayBefore) && (
            <DayRow
              day={order.offerServeDate}
              totals={days.get(order.offerServeDate)}
              today={today}
            />
          )}
          <OrderRow
            order={order}
            selected={selected.has(order.id)}
            isNew={arrived.has(order.id)}
            {...row}
          />
        </Fragment>
      ))}
    </tbody>
  );
});

interface DayRowProps {
  day: string;
  /** Of the orders that match the filters and aren't canceled. */
  totals: ServeDay | undefined;
  today: string;
}

/** A serve day above its orders, with what to cook for it. */
function DayRow({ day, totals, today }: DayRowProps) {
  return (
    <tr {...as.row} className="order-day">
      <th {...as.dayHead} scope="rowgroup">
        <div>
          <h3>{dayTitle(day, today)}</h3>
          {totals && (
            <p className="small muted">
              {counted(totals.orders, "order")}, {counted(totals.portions, "portion")}
            </p>
          )}
        </div>
        {totals && totals.orders > 0 && (
          <ButtonLink
            size="small"
            href={`/restaurant/kitchen?day=${day}`}
            aria-label={`Kitchen sheet for ${dayTitle(day, today)}`}
          >
            <ChefHat size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Kitchen sheet
          </ButtonLink>
        )}
      </th>
    </tr>
  );
}

interface RowProps {
  order: Order;
  timeZone: string;
  selected: boolean;
  isNew: boolean;
  onSelect: OrderTableProps["onSelect"];
  onOpen: OrderTableProps["onOpen"];
}

const OrderRow = memo(function OrderRow({
  order,
  timeZone,
  selected,
  isNew,
  onSelect,
  onOpen,
}: RowProps) {
  function open(event: MouseEvent) {
    // With a key or the middle button it is a link like any other.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(order);
  }

  return (
    <tr
      {...as.row}
      className="order-row"
      data-selected={selected ? "" : undefined}
      data-new={isNew ? "" : undefined}
    >
      {onSelect && (
        <td {...as.cell} className="order-select">
          <input
            type="checkbox"
            aria-label={`Select ${order.customerName}'s order, ${order.code}`}
            checked={selected}
            onChange={() => onSelect([order.id], !selected)}
          />
        </td>
      )}
      <td {...as.cell} className="order-guest">
        <a className="order-link" href={orderAddress(order.id)} onClick={open}>
          {order.customerName}
        </a>
        <p className="small muted flex flex-wrap gap-x-2">
          <span className="order-code">{order.code}</span>{" "}
          {order.customerPhone && <span className="whitespace-nowrap">{order.customerPhone}</span>}
        </p>
        {order.customerEmail && <p className="small muted order-email">{order.customerEmail}</p>}
      </td>
      <td {...as.cell} className="order-what">
        <p>
          <strong>{order.quantity} ×</strong> {order.servedName}
        </p>
        <p className="small muted order-marks">
          <span>{formatMoment(order.createdAt, timeZone)}</span>
          {order.source === "phone" && (
            <span className="order-mark">
              <Phone size="0.875rem" strokeWidth={1.5} aria-hidden="true" />
              By phone
            </span>
          )}
          {order.party && (
            <span className="order-mark">
              <Users size="0.875rem" strokeWidth={1.5} aria-hidden="true" />
              {order.party.name}’s party, {order.party.orders} orders
            </span>
          )}
          {order.notesCount > 0 && (
            <span className="order-mark">
              <StickyNote size="0.875rem" strokeWidth={1.5} aria-hidden="true" />
              {order.notesCount} {order.notesCount === 1 ? "note" : "notes"}
            </span>
          )}
        </p>
        {order.note && (
          <p className="small order-note">
            <MessageSquareText size="0.875rem" strokeWidth={1.5} aria-hidden="true" />
            <span>
              <span className="visually-hidden">Guest's note: </span>
              {order.note}
            </span>
          </p>
        )}
      </td>
      <td {...as.cell} className="order-when">
        {order.slot ? order.slot.label : <span className="muted">Any time</span>}
        {order.serviceMode && <p className="small">{serviceModes[order.serviceMode]}</p>}
      </td>
      <td {...as.cell} className="order-total number">
        {formatDecimal(order.totalAmount)}
        {Number(order.refundedAmount) > 0 && (
          <p className="small muted">−{formatDecimal(order.refundedAmount)} refunded</p>
        )}
      </td>
      <td {...as.cell} className="order-state">
        <Badge tone={statusTone(order)}>{order.statusLabel}</Badge>
        {order.paymentStatus === "capture_failed" ? (
          <Badge tone={paymentTone(order.paymentStatus)}>{order.paymentLabel}</Badge>
        ) : (
          <span className="small muted">{order.paymentLabel}</span>
        )}
      </td>
    </tr>
  );
});
