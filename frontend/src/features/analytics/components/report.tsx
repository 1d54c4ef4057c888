import type { Analytics } from "@/api/types";
import { EmptyState } from "@/ui/empty-state";
import { ChartCard } from "./chart-card";
import { KeyFigures } from "./key-figures";
import { OfferTable } from "./offer-table";

/** A period: its figures, drawn over time, and by special. */
export function Report({ analytics }: { analytics: Analytics }) {
  const { figures, decidedOffers } = analytics.totals;
  const nothing = !figures.views && !figures.orders && !Number(figures.revenue) && !decidedOffers;
  if (nothing) {
    return (
      <div className="card">
        <EmptyState heading="h2" title="Nothing in this period">
          Visits, orders, and revenue appear once someone opens one of your specials. Choose a
          longer period to look further back.
        </EmptyState>
      </div>
    );
  }
  const shared = { analytics };
  return (
    <div className="stack rhythm-6">
      <KeyFigures analytics={analytics} />
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartCard
          {...shared}
          title="Visits"
          figure="views"
          unit="count"
          kind="area"
          tone="honey"
        />
        <ChartCard
          {...shared}
          title="Orders"
          figure="orders"
          unit="count"
          kind="bars"
          tone="accent"
        />
        <div className="lg:col-span-2">
          <ChartCard
            {...shared}
            title="Revenue"
            figure="revenue"
            unit="money"
            kind="bars"
            tone="herb"
          />
        </div>
      </div>
      {analytics.offers.length > 0 && <OfferTable analytics={analytics} />}
    </div>
  );
}
