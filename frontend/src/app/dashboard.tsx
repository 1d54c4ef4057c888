import { useEffect, useState } from "react";
import type { HistoryEntry } from "@/api/types";
import { useFailedPayments } from "@/features/dashboard/api/get-failed-payments";
import { ConnectionNote } from "@/features/dashboard/components/connection-note";
import { FreeCounter } from "@/features/dashboard/components/free-counter";
import { Header } from "@/features/dashboard/components/header";
import { Today } from "@/features/dashboard/components/today";
import { useOffers } from "@/features/offers/api/list-offers";
import { WelcomeDialog } from "@/features/onboarding/components/welcome-dialog";
import { endHandover, handedOver } from "@/lib/redeploy-handover";
import { rememberUser, takeDestination } from "@/lib/stored-session";
import { classNames } from "@/ui/class-names";
import { Tabs } from "@/ui/tabs";
import type { DashboardProps } from "./dashboard-props";
import { dashboardTabs } from "./dashboard-tabs";
import { OwnerSetup } from "./owner-setup";
import { Redeploy } from "./redeploy";
import { useFollowing } from "./use-following";
import { useTab } from "./use-tab";

/**
 * The owner's dashboard: today, then the tabs. `?tab=` names the open one. What a member's role
 * may not see is no tab of theirs.
 */
export function Dashboard(props: DashboardProps) {
  const { restaurant, specials, tab: askedTab = "specials", person, links, setup } = props;
  const [welcomed, setWelcomed] = useState(person.hasCompletedOnboarding);
  const [tab, openTab] = useTab(askedTab);
  const [offersThisMonth, setOffersThisMonth] = useState(restaurant.monthlySpecialOffersCount);
  const [redeploying, setRedeploying] = useState<HistoryEntry | null>(handedOver);
  const offers = useOffers(specials).data?.specials ?? [];
  const { timezone: timeZone, subscriptionTier: tier } = restaurant;
  const live = useFollowing(props.version);
  const failedPayments = useFailedPayments(props.failedPayments);

  useEffect(endHandover, []);
  useEffect(() => {
    takeDestination();
    rememberUser({ ...person, hasCompletedOnboarding: welcomed, restaurantName: restaurant.name });
  }, [person, welcomed, restaurant.name]);

  const countOffer = () => setOffersThisMonth((count) => count + 1);
  const tabs = dashboardTabs({
    ...props,
    offers,
    version: live.version,
    onOfferCreated: countOffer,
    onRedeploy: setRedeploying,
  });
  const open = tabs.some(({ value }) => value === tab) ? tab : "specials";

  const today = (
    // On a phone, the orders come first when the orders tab is open.
    <div className={classNames("stack rhythm-6", open !== "specials" && "max-sm:hidden")}>
      <Today
        offers={offers}
        timeZone={timeZone}
        paymentsReady={restaurant.paymentsReady}
        canFinishPayments={setup !== null}
        failedPayments={failedPayments}
        canFulfill={props.permissions.fulfillOrders}
      />
      {tier === "free" && links.upgrade && (
        <FreeCounter
          count={offersThisMonth}
          plan={restaurant.freePlan}
          upgradeUrl={links.upgrade}
        />
      )}
    </div>
  );

  if (!welcomed) return <WelcomeDialog onDone={() => setWelcomed(true)} />;
  return (
    <>
      <Header restaurantName={restaurant.name} tier={tier} links={links} />
      <div className="wrap stack py-6 rhythm-6">
        <ConnectionNote connection={live.connection} />
        {setup && links.settings && links.payments ? (
          <OwnerSetup
            restaurantId={restaurant.id}
            setup={setup}
            settingsUrl={links.settings}
            paymentsUrl={links.payments}
            returnTo="/restaurant"
          >
            {today}
          </OwnerSetup>
        ) : (
          today
        )}
        <Tabs label="Dashboard sections" tabs={tabs} value={open} onChange={openTab} />
      </div>
      <Redeploy
        entry={redeploying}
        dishes={props.dishes}
        timeZone={timeZone}
        onClose={() => setRedeploying(null)}
        onCreated={() => {
          setRedeploying(null);
          countOffer();
          openTab("specials");
        }}
      />
    </>
  );
}
