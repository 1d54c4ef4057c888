import { Sun } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { HistoryEntry } from "@/api/types";
import { useFailedPayments } from "@/features/dashboard/api/get-failed-payments";
import { useToday } from "@/features/dashboard/api/get-today";
import { ConnectionNote } from "@/features/dashboard/components/connection-note";
import { FreeCounter } from "@/features/dashboard/components/free-counter";
import { Header } from "@/features/dashboard/components/header";
import { Today } from "@/features/dashboard/components/today";
import { feeOfTheNext } from "@/features/dashboard/lib/free-offers";
import { useOffers } from "@/features/offers/api/list-offers";
import { WelcomeDialog } from "@/features/onboarding/components/welcome-dialog";
import { endHandover, handedOver } from "@/lib/redeploy-handover";
import { rememberUser, takeDestination } from "@/lib/stored-session";
import { type TabEntry, Tabs } from "@/ui/tabs";
import type { DashboardProps } from "./dashboard-props";
import { dashboardTabs, paymentSetup } from "./dashboard-tabs";
import { OwnerSetup } from "./owner-setup";
import { PageNotices } from "./page-notices";
import { Redeploy } from "./redeploy";
import { useFollowing } from "./use-following";
import { useTab } from "./use-tab";

/**
 * The owner's dashboard: today and the other tabs. `?tab=` names the open one. Members have no tab
 * for what their role can't see.
 */
export function Dashboard(props: DashboardProps) {
  const { restaurant, specials, tab: askedTab = "specials", person, links, setup } = props;
  const [welcomed, setWelcomed] = useState(person.hasCompletedOnboarding);
  const [tab, openTab] = useTab(askedTab);
  const [offersThisMonth, setOffersThisMonth] = useState(restaurant.monthlySpecialOffersCount);
  const [redeploying, setRedeploying] = useState<HistoryEntry | null>(
    () => props.again ?? handedOver(),
  );
  const offers = useOffers(specials).data?.specials ?? [];
  const { timezone: timeZone, subscriptionTier: tier } = restaurant;
  const live = useFollowing(props.version);
  const failedPayments = useFailedPayments(props.failedPayments);
  const summary = useToday(props.today);

  useEffect(endHandover, []);
  // So that a reload, or Back, doesn't open the form once more.
  useEffect(() => {
    const address = new URL(location.href);
    if (!address.searchParams.has("again")) return;
    address.searchParams.delete("again");
    history.replaceState(history.state, "", address);
  }, []);
  useEffect(() => {
    takeDestination();
    rememberUser({ ...person, hasCompletedOnboarding: welcomed, restaurantName: restaurant.name });
  }, [person, welcomed, restaurant.name]);

  const feeNote = tier === "free" ? feeOfTheNext(offersThisMonth, restaurant.freePlan) : "";
  const countOffer = () => setOffersThisMonth((count) => count + 1);
  const tabs = dashboardTabs({
    ...props,
    offers,
    version: live.version,
    feeNote,
    onOfferCreated: countOffer,
    onRedeploy: setRedeploying,
  });
  // Today's work and results have their own tab; the setup is above the list.
  const today = (
    <Today
      offers={offers}
      timeZone={timeZone}
      paymentsReady={restaurant.paymentsReady}
      canFinishPayments={setup !== null}
      failedPayments={failedPayments}
      today={summary}
      permissions={props.permissions}
    />
  );
  const counter = tier === "free" && links.upgrade && (
    <FreeCounter count={offersThisMonth} plan={restaurant.freePlan} upgradeUrl={links.upgrade} />
  );
  const withSetup = (specials: ReactNode) =>
    setup && links.settings && links.payments ? (
      <OwnerSetup
        restaurantId={restaurant.id}
        setup={setup}
        settingsUrl={links.settings}
        paymentsUrl={links.payments}
        returnTo="/restaurant"
      >
        {counter}
        {specials}
      </OwnerSetup>
    ) : (
      <>
        {counter}
        {specials}
      </>
    );
  const shown: TabEntry[] = [
    {
      value: "today",
      label: "Today",
      icon: Sun,
      count: summary.results.length + failedPayments,
      content: today,
    },
    ...tabs.map((entry) =>
      entry.value === "specials"
        ? { ...entry, content: <div className="stack rhythm-8">{withSetup(entry.content)}</div> }
        : entry,
    ),
  ];
  const open = shown.some(({ value }) => value === tab) ? tab : "specials";

  if (!welcomed) return <WelcomeDialog onDone={() => setWelcomed(true)} />;
  return (
    <>
      <Header restaurantName={restaurant.name} tier={tier} links={links} />
      <PageNotices />
      <div className="wrap pt-2 pb-6">
        <ConnectionNote connection={live.connection} />
        <Tabs label="Dashboard sections" tabs={shown} value={open} onChange={openTab} />
      </div>
      <Redeploy
        entry={redeploying}
        dishes={props.dishes}
        timeZone={timeZone}
        feeNote={feeNote}
        connect={props.permissions.manage && paymentSetup(timeZone)}
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
