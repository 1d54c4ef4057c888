import type { History, HistoryEntry } from "@/api/types";
import { HistoryList } from "@/features/history/components/history-list";
import { handOver } from "@/lib/redeploy-handover";
import { showError } from "@/ui/toaster";

interface HistoryPageProps {
  restaurantName: string;
  canEdit: boolean;
  history: History;
  timeZone: string;
  dashboardUrl: string;
}

/** The history as a page; re-deploying continues in the dashboard. */
export function HistoryPage({
  restaurantName,
  canEdit,
  history,
  timeZone,
  dashboardUrl,
}: HistoryPageProps) {
  function redeploy(entry: HistoryEntry) {
    if (handOver(entry)) {
      location.assign(`${dashboardUrl}?tab=specials`);
    } else {
      showError(
        "Error",
        "Your browser blocks storage for this site. Open History in the dashboard instead.",
      );
    }
  }

  return (
    <div className="stack rhythm-2">
      <p className="eyebrow">{restaurantName}</p>
      <HistoryList
        isPage
        initial={history}
        timeZone={timeZone}
        canEdit={canEdit}
        onRedeploy={redeploy}
      />
    </div>
  );
}
