import type { History, HistoryEntry } from "@/api/types";
import { HistoryList } from "@/features/history/components/history-list";
import { handOver } from "@/lib/redeploy-handover";
import { showError } from "@/ui/toaster";

export interface HistoryPageProps {
  restaurantName: string;
  mayEdit: boolean;
  history: History;
  timeZone: string;
  dashboardUrl: string;
}

/** The history on a page of its own; re-deploying goes on in the dashboard. */
export function HistoryPage({
  restaurantName,
  mayEdit,
  history,
  timeZone,
  dashboardUrl,
}: HistoryPageProps) {
  function redeploy(entry: HistoryEntry) {
    if (handOver(entry)) {
      location.assign(`${dashboardUrl}?tab=specials`);
    } else {
      showError("Error", "Your browser keeps nothing for us. Open the history in the dashboard.");
    }
  }

  return (
    <div className="stack [--gap:0.5rem]">
      <p className="eyebrow">{restaurantName}</p>
      <HistoryList
        isPage
        initial={history}
        timeZone={timeZone}
        mayEdit={mayEdit}
        onRedeploy={redeploy}
      />
    </div>
  );
}
