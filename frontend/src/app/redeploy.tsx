import { lazy, type ReactNode, Suspense } from "react";
import type { Dish, HistoryEntry, Special } from "@/api/types";

const RedeployDialog = lazy(() =>
  import("@/features/offers/components/redeploy-dialog").then((module) => ({
    default: module.RedeployDialog,
  })),
);

interface RedeployProps {
  entry: HistoryEntry | null;
  dishes: Dish[] | undefined;
  timeZone: string;
  feeNote: string;
  connect: ReactNode;
  onClose: () => void;
  onCreated: (offer: Special) => void;
}

/** The form that publishes a past special again, while one is chosen. */
export function Redeploy({ entry, ...rest }: RedeployProps) {
  if (!entry) return null;
  return (
    <Suspense fallback={null}>
      <RedeployDialog key={entry.id} entry={entry} {...rest} />
    </Suspense>
  );
}
