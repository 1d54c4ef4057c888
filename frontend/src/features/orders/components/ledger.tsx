import { ChevronDown } from "lucide-react";
import { Fragment, useState } from "react";
import type { LedgerByOrder, LedgerEntry, OrderInLedger } from "@/api/types";
import { formatDecimal, lessDecimal } from "@/lib/money";
import { formatDate, formatDay, formatMoment, todayIn } from "@/lib/times";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useLedger } from "../api/get-ledger";
import { orderAddress } from "../lib/order-address";

/** The restaurant's ledger: each order's amount after fees, and the totals. */
export function LedgerSection({
  initial,
  timeZone,
}: {
  initial: LedgerByOrder | undefined;
  timeZone: string;
}) {
  const ledger = useLedger(initial);
  const first = ledger.data?.pages[0];
  const orders = ledger.data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <section aria-labelledby="ledger-title" className="stack rhythm-5">
      <h2 id="ledger-title" className="visually-hidden">
        Ledger
      </h2>
      {ledger.isError && (
        <Notice tone="berry" urgent>
          <p>We couldn't load the ledger. This doesn't affect your money.</p>
          <Button size="small" className="self-start" onClick={() => ledger.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {ledger.isPending && <SkeletonRows label="Loading ledger" />}
      {first && (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          {orders.length === 0 ? (
            <div className="card">
              <EmptyState title="No transactions yet">
                Holds become charges at the deadline, and only if the minimum is met. Every charge,
                fee, and refund appears here.
              </EmptyState>
            </div>
          ) : (
            <div className="stack min-w-0 rhythm-3">
              <LedgerTable orders={orders} timeZone={timeZone} />
              {ledger.hasNextPage && (
                <Button
                  className="self-center"
                  busy={ledger.isFetchingNextPage}
                  onClick={() => void ledger.fetchNextPage()}
                >
                  Show more
                </Button>
              )}
            </div>
          )}
          <Totals totals={first.totals} />
        </div>
      )}
    </section>
  );
}

function Totals({ totals }: { totals: LedgerByOrder["totals"] }) {
  const lines: [string, string][] = [
    ["Charged to guests", formatDecimal(totals.captured)],
    ["Refunded", lessDecimal(totals.refunded)],
    ...(Number(totals.disputed) > 0
      ? ([["Disputed", lessDecimal(totals.disputed)]] satisfies [string, string][])
      : []),
    ["Platform fee", lessDecimal(totals.platformFees)],
    ["Card processing", lessDecimal(totals.processingFees)],
  ];
  return (
    <div className="card order-first lg:order-none">
      <div className="card-body stack rhythm-4">
        <h3>All orders</h3>
        <dl className="sum">
          {lines.map(([label, amount]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
          <div className="sum-total">
            <dt>You receive</dt>
            <dd>{formatDecimal(totals.payout)}</dd>
          </div>
        </dl>
        <a className="button button-wide" href="/restaurant/statements">
          Monthly statements
        </a>
      </div>
    </div>
  );
}

function LedgerTable({ orders, timeZone }: { orders: OrderInLedger[]; timeZone: string }) {
  return (
    <div className="table-frame">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col" className="number">
              Gross
            </th>
            <th scope="col" className="number">
              Fees
            </th>
            <th scope="col" className="number">
              Net
            </th>
          </tr>
        </thead>
        {byDay(orders, timeZone).map(([day, those]) => (
          <Fragment key={those[0]?.orderId}>
            <tbody>
              <tr className="ledger-day">
                <th scope="rowgroup" colSpan={4}>
                  {day}
                </th>
              </tr>
            </tbody>
            {those.map((order) => (
              <LedgerRow key={order.orderId} order={order} timeZone={timeZone} />
            ))}
          </Fragment>
        ))}
      </table>
    </div>
  );
}

/** The orders under the days on which their money last moved, newest first. */
function byDay(orders: OrderInLedger[], timeZone: string): [string, OrderInLedger[]][] {
  const days: [string, OrderInLedger[]][] = [];
  const thisYear = todayIn(timeZone).slice(0, 4);
  for (const order of orders) {
    const day = todayIn(timeZone, new Date(order.processedAt));
    const name = day.startsWith(thisYear)
      ? formatDay(day)
      : formatDate(order.processedAt, timeZone);
    const last = days.at(-1);
    if (last?.[0] === name) last[1].push(order);
    else days.push([name, [order]]);
  }
  return days;
}

/** One order; its entries unfold below it. */
function LedgerRow({ order, timeZone }: { order: OrderInLedger; timeZone: string }) {
  const [open, setOpen] = useState(false);
  const details = `ledger-${order.orderId}`;
  const held = Number(order.held) > 0;
  const moved = Number(order.gross) !== 0 || Number(order.refunded) > 0;
  return (
    <tbody>
      <tr>
        <td>
          <button
            type="button"
            className="ledger-order"
            aria-expanded={open}
            aria-controls={details}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            <span className="min-w-0">
              <span className="font-semibold">{order.customerName || order.orderCode}</span>
              <span className="small muted">{order.offerName}</span>
              {moved && (
                <span className="small muted ledger-sum">
                  {formatDecimal(order.gross)} {lessDecimal(order.fees)} fees
                </span>
              )}
              {Number(order.refunded) > 0 && (
                <span className="small muted">Refunded {formatDecimal(order.refunded)}</span>
              )}
            </span>
          </button>
        </td>
        {moved ? (
          <>
            <td className="number ledger-wide">{formatDecimal(order.gross)}</td>
            <td className="number ledger-wide muted">{lessDecimal(order.fees)}</td>
            <td className="number font-semibold">{formatDecimal(order.net)}</td>
          </>
        ) : (
          <td className="number muted ledger-held" colSpan={3}>
            {held ? (
              <>
                <span>{formatDecimal(order.held)}</span> <span className="small">on hold</span>
              </>
            ) : (
              <span className="small">Hold released</span>
            )}
          </td>
        )}
      </tr>
      <tr id={details} hidden={!open} className="ledger-details">
        <td colSpan={4}>
          <ul className="stack rhythm-2">
            {order.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} timeZone={timeZone} />
            ))}
          </ul>
          <p className="mt-3">
            <a href={orderAddress(order.orderId)}>Open order {order.orderCode}</a>
          </p>
        </td>
      </tr>
    </tbody>
  );
}

function Entry({ entry, timeZone }: { entry: LedgerEntry; timeZone: string }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4">
      <span>
        {entry.label}{" "}
        <span className="small muted">
          {entry.processedAt ? (
            <time dateTime={entry.processedAt}>{formatMoment(entry.processedAt, timeZone)}</time>
          ) : (
            "Pending"
          )}
        </span>
      </span>
      <span className="tabular-nums">{formatDecimal(entry.amount)}</span>
    </li>
  );
}
