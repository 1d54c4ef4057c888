import { History as HistoryIcon, Megaphone, ReceiptText, Store, Utensils } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import type { HistoryEntry, Special } from "@/api/types";
import { ErrorBoundary } from "@/islands/error-boundary";
import { SkeletonRows } from "@/ui/skeleton";
import type { TabEntry } from "@/ui/tabs";
import type { DashboardProps } from "./dashboard-props";

interface TabsContext extends DashboardProps {
  /** The current offers, not the ones the page was rendered with. */
  offers: Special[];
  /** Changes whenever an order or an offer does; see `useLive`. */
  version: string;
  /** The platform fee that the next special will carry; empty if it carries none. */
  feeNote: string;
  onOfferCreated: () => void;
  onRedeploy: (entry: HistoryEntry) => void;
}

// Only the open tab is loaded, because the first view is often on a phone.
const OfferList = lazy(() =>
  import("@/features/offers/components/offer-list").then((module) => ({
    default: module.OfferList,
  })),
);
const Announce = lazy(() =>
  import("@/features/announcements/components/announce").then((module) => ({
    default: module.Announce,
  })),
);
const Advice = lazy(() =>
  import("@/features/advice/components/advice").then((module) => ({ default: module.Advice })),
);
const AnnounceCard = lazy(() =>
  import("@/features/announcements/components/announce-card").then((module) => ({
    default: module.AnnounceCard,
  })),
);
const OrdersTab = lazy(() =>
  import("@/features/orders/components/orders-tab").then((module) => ({
    default: module.OrdersTab,
  })),
);
const HistoryList = lazy(() =>
  import("@/features/history/components/history-list").then((module) => ({
    default: module.HistoryList,
  })),
);

const PaymentSetup = lazy(() =>
  import("@/features/payments/components/payment-setup").then((module) => ({
    default: module.PaymentSetup,
  })),
);

const MarketingTab = lazy(() =>
  import("@/features/settings/components/settings-tabs").then((module) => ({
    default: module.MarketingTab,
  })),
);
const SettingsTab = lazy(() =>
  import("@/features/settings/components/settings-tabs").then((module) => ({
    default: module.SettingsTab,
  })),
);

function loaded(content: ReactNode, label: string): ReactNode {
  // A tab that cannot be loaded just now must not take the others with it.
  return (
    <ErrorBoundary key={label}>
      <Suspense fallback={<SkeletonRows label={label} />}>{content}</Suspense>
    </ErrorBoundary>
  );
}

/** How the restaurant gets paid, for the step after publishing. */
export const paymentSetup = (timeZone: string): ReactNode =>
  loaded(<PaymentSetup returnTo="/restaurant" timeZone={timeZone} />, "Loading payments");

/** The tabs in their order, without those that the member's role can't see. */
export function dashboardTabs(context: TabsContext): TabEntry[] {
  const { restaurant, permissions, offers } = context;
  const { timezone: timeZone } = restaurant;
  const tabs: TabEntry[] = [
    {
      value: "specials",
      label: "Specials",
      icon: Utensils,
      content: loaded(
        <OfferList
          initialOffers={context.specials}
          canEdit={permissions.editOffers}
          initialDishes={context.dishes}
          timeZone={timeZone}
          menuUrl={restaurant.menuUrl}
          taxRate={restaurant.taxRate}
          salesLimit={restaurant.salesLimit}
          feeNote={context.feeNote}
          onCreated={context.onOfferCreated}
          connect={permissions.manage && paymentSetup(timeZone)}
          advise={(terms) => loaded(<Advice {...terms} folded />, "Loading the advisor")}
          announce={(offer) =>
            loaded(
              <Announce
                offerIds={[offer.id]}
                writeOnOpen
                linksUrl={permissions.manage ? "/restaurant?tab=marketing" : null}
              />,
              "Loading the announcement",
            )
          }
        />,
        "Loading specials",
      ),
    },
  ];
  if (permissions.seeOrders) {
    tabs.push({
      value: "orders",
      label: "Orders",
      icon: ReceiptText,
      content: loaded(
        <OrdersTab
          initial={context.orders}
          ledger={context.ledger}
          permissions={permissions}
          offers={offers}
          timeZone={timeZone}
          version={context.version}
        />,
        "Loading orders",
      ),
    });
  }
  tabs.push({
    value: "history",
    label: "History",
    icon: HistoryIcon,
    content: loaded(
      <HistoryList
        initial={context.history}
        timeZone={timeZone}
        canEdit={permissions.editOffers}
        onRedeploy={context.onRedeploy}
        analyticsUrl={permissions.seeLedger ? "/restaurant/analytics" : null}
      />,
      "Loading special offers history",
    ),
  });
  if (permissions.manage) {
    tabs.push(
      {
        value: "marketing",
        label: "Marketing",
        icon: Megaphone,
        content: loaded(
          <div className="stack rhythm-6">
            <MarketingTab profile={context.profile} />
            <AnnounceCard />
          </div>,
          "Loading marketing settings",
        ),
      },
      {
        value: "settings",
        label: "Settings",
        icon: Store,
        content: loaded(
          <SettingsTab profile={context.profile} places={context.places} />,
          "Loading profile",
        ),
      },
    );
  }
  return tabs;
}
