import { ChartColumn } from "lucide-react";
import { useState } from "react";
import type { History, HistoryEntry } from "@/api/types";
import { Button, ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Notice } from "@/ui/notice";
import { SkeletonRows } from "@/ui/skeleton";
import { useHistory } from "../api/get-history";
import { firstSorting } from "../lib/sorting";
import { HistoryTable } from "./history-table";

interface HistoryListProps {
  initial: History | undefined;
  timeZone: string;
  /** Whether the person may publish, and write the menu. */
  canEdit: boolean;
  onRedeploy: (entry: HistoryEntry) => void;
  /** For members who can see the ledger. */
  analyticsUrl?: string | null;
  /** The page's only heading, rather than one of a tab. */
  isPage?: boolean;
}

/** Special Offers History: the result of each special, to be published again. */
export function HistoryList({
  initial,
  timeZone,
  canEdit,
  onRedeploy,
  analyticsUrl,
  isPage = false,
}: HistoryListProps) {
  const [sorting, setSorting] = useState(firstSorting);
  const history = useHistory(sorting, initial);
  const counts = history.data?.pages[0];
  const entries = history.data?.pages.flatMap((page) => page.history) ?? [];
  const Heading = isPage ? "h1" : "h2";
  return (
    <section aria-labelledby="history-title" className="stack rhythm-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Heading id="history-title">Special Offers History</Heading>
        {analyticsUrl && (
          <ButtonLink variant="quiet" className="-mr-4 max-sm:-ml-4" href={analyticsUrl}>
            <ChartColumn size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Analytics
          </ButtonLink>
        )}
      </div>
      {history.isError && (
        <Notice tone="berry" urgent>
          <p>Failed to load special offers history</p>
          <Button size="small" className="self-start" onClick={() => history.refetch()}>
            Retry
          </Button>
        </Notice>
      )}
      {history.isPending && <SkeletonRows rows={5} label="Loading special offers history" />}
      {counts && counts.totalOffers > 0 && <Counts counts={counts} />}
      {counts?.totalOffers === 0 && (
        <div className="card">
          <EmptyState heading={isPage ? "h2" : "h3"} title="No past specials yet">
            Specials move here after their deadline or when you delete them. Republish a successful
            one in two taps.
          </EmptyState>
        </div>
      )}
      {entries.length > 0 && (
        <HistoryTable
          entries={entries}
          sorting={sorting}
          onSort={setSorting}
          busy={history.isPlaceholderData}
          timeZone={timeZone}
          canEdit={canEdit}
          onRedeploy={onRedeploy}
        />
      )}
      {history.hasNextPage && (
        <div className="stack items-center rhythm-2">
          <p className="small muted" role="status">
            {entries.length} of {counts?.totalOffers} shown
          </p>
          <Button busy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

function Counts({ counts }: { counts: History }) {
  const figures: [string, number][] = [
    ["Total", counts.totalOffers],
    ["Successful", counts.successfulOffers],
    ["Expired", counts.expiredOffers],
    ["Deleted", counts.deletedOffers],
  ];
  return (
    <dl className="grid grid-cols-4 divide-x divide-line rounded-xl border border-line bg-surface py-3 sm:max-w-xl">
      {figures.map(([label, number]) => (
        <div key={label} className="flex flex-col-reverse px-2 sm:px-5">
          <dt className="muted text-[0.8125rem]">{label}</dt>
          <dd className="text-[length:var(--text-title-3)] font-bold tabular-nums">{number}</dd>
        </div>
      ))}
    </dl>
  );
}
