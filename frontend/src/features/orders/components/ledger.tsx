import type { Ledger, LedgerEntry } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { formatMoment } from "@/lib/times";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useLedger } from "../api/get-ledger";

/** The restaurant's ledger: every entry and the totals. */
export function LedgerSection({
  initial,
  timeZone,
}: {
  initial: Ledger | undefined;
  timeZone: string;
}) {
  const ledger = useLedger(initial);
  return (
    <section aria-labelledby="ledger-title" className="stack rhythm-5">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="ledger-title">Ledger</h2>
        <a className="button button-small" href="/restaurant/statements">
          Monthly statements
        </a>
      </div>
      {ledger.isError && (
        <Notice tone="berry" urgent>
          <p>We couldn't load the ledger. This doesn't affect your money.</p>
          <Button size="small" className="self-start" onClick={() => ledger.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {ledger.isPending && <SkeletonRows label="Loading ledger" />}
      {ledger.data && (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          {ledger.data.entries.length === 0 ? (
            <div className="card">
              <EmptyState title="No transactions yet">
                Holds become charges at the deadline, and only if the minimum is met. Every charge,
                fee and refund appears here.
              </EmptyState>
            </div>
          ) : (
            <LedgerTable entries={ledger.data.entries} timeZone={timeZone} />
          )}
          <Totals totals={ledger.data.totals} />
        </div>
      )}
    </section>
  );
}

function Totals({ totals }: { totals: Ledger["totals"] }) {
  const lines: [string, string][] = [
    ["Charged to guests", totals.captured],
    ["Platform fee", totals.platformFees],
    ["Card processing", totals.processingFees],
    ["Refunded", totals.refunded],
    ...(Number(totals.disputed) > 0
      ? ([["Disputed", totals.disputed]] satisfies [string, string][])
      : []),
  ];
  return (
    <div className="card order-first lg:order-none">
      <dl className="sum card-body">
        {lines.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatDecimal(amount)}</dd>
          </div>
        ))}
        <div className="sum-total">
          <dt>You receive</dt>
          <dd>{formatDecimal(totals.payout)}</dd>
        </div>
      </dl>
    </div>
  );
}

function LedgerTable({ entries, timeZone }: { entries: LedgerEntry[]; timeZone: string }) {
  return (
    <div className="table-frame">
      <table className="table-cards">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Special</th>
            <th scope="col" className="number">
              Amount
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="lead" data-label="Type">
                <p className="font-semibold">{entry.label}</p>
                {entry.orderCode && <p className="small muted">Order {entry.orderCode}</p>}
              </td>
              <td data-label="Special">
                <span className="break-words">{entry.offerName}</span>
              </td>
              <td className="number" data-label="Amount">
                {formatDecimal(entry.amount)}
              </td>
              <td data-label="When">
                {entry.processedAt ? (
                  <time dateTime={entry.processedAt} className="small">
                    {formatMoment(entry.processedAt, timeZone)}
                  </time>
                ) : (
                  <span className="small muted">Pending</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
