import { ReceiptText, Utensils } from "lucide-react";
import { useEffect, useState } from "react";
import type { Dish, Ledger, OrderPage, Special } from "@/api/types";
import { FreeCounter } from "@/features/dashboard/components/free-counter";
import { Header } from "@/features/dashboard/components/header";
import { Today } from "@/features/dashboard/components/today";
import type {
  DashboardLinks,
  DashboardPerson,
  DashboardRestaurant,
} from "@/features/dashboard/types";
import { useOffers } from "@/features/offers/api/list-offers";
import { OfferList } from "@/features/offers/components/offer-list";
import { WelcomeDialog } from "@/features/onboarding/components/welcome-dialog";
import { LedgerSection } from "@/features/orders/components/ledger";
import { OrderList } from "@/features/orders/components/order-list";
import { rememberUser, takeDestination } from "@/lib/stored-session";
import { type TabEntry, Tabs } from "@/ui/tabs";

export interface DashboardProps {
  restaurant: DashboardRestaurant;
  specials?: Special[];
  /** Whether the person's role may publish, change and delete specials. */
  mayEditOffers: boolean;
  dishes?: Dish[];
  orders?: OrderPage;
  ledger?: Ledger;
  tab?: string;
  person: DashboardPerson;
  links: DashboardLinks;
}

/**
 * The owner's dashboard: today, then the tabs. `?tab=` names the open one. What a member's role
 * may not see is absent from the props, and so is its tab.
 */
export function Dashboard({
  restaurant,
  specials,
  mayEditOffers,
  dishes,
  orders,
  ledger,
  tab: askedTab = "specials",
  person,
  links,
}: DashboardProps) {
  const [welcomed, setWelcomed] = useState(person.hasCompletedOnboarding);
  const [tab, setTab] = useState(askedTab);
  const [offersThisMonth, setOffersThisMonth] = useState(restaurant.monthlySpecialOffersCount);
  const offers = useOffers(specials).data?.specials ?? [];
  const { timezone: timeZone, subscriptionTier: tier } = restaurant;

  useEffect(() => {
    takeDestination();
    rememberUser({ ...person, hasCompletedOnboarding: welcomed, restaurantName: restaurant.name });
  }, [person, welcomed, restaurant.name]);

  function openTab(next: string) {
    setTab(next);
    const url = new URL(window.location.href);
    url.searchParams.set("tab", next);
    window.history.replaceState(null, "", url);
  }

  const tabs: TabEntry[] = [
    {
      value: "specials",
      label: "Specials",
      icon: Utensils,
      content: (
        <OfferList
          initialOffers={specials}
          mayEdit={mayEditOffers}
          initialDishes={dishes}
          timeZone={timeZone}
          menuUrl={restaurant.menuUrl}
          onCreated={() => setOffersThisMonth((count) => count + 1)}
        />
      ),
    },
  ];
  if (orders || ledger) {
    tabs.push({
      value: "orders",
      label: "Orders",
      icon: ReceiptText,
      content: (
        <div className="stack [--gap:3rem]">
          {orders && <OrderList initial={orders} offers={offers} timeZone={timeZone} />}
          {ledger && <LedgerSection initial={ledger} timeZone={timeZone} />}
        </div>
      ),
    });
  }
  const open = tabs.some(({ value }) => value === tab) ? tab : "specials";

  if (!welcomed) return <WelcomeDialog onDone={() => setWelcomed(true)} />;
  return (
    <>
      <Header restaurantName={restaurant.name} tier={tier} links={links} />
      <div className="wrap stack py-6 [--gap:1.5rem]">
        <Today
          offers={offers}
          timeZone={timeZone}
          paymentsReady={restaurant.paymentsReady}
          settingsUrl={links.settings}
        />
        {tier === "free" && links.upgrade && (
          <FreeCounter count={offersThisMonth} upgradeUrl={links.upgrade} />
        )}
        <Tabs label="Dashboard sections" tabs={tabs} value={open} onChange={openTab} />
      </div>
    </>
  );
}
