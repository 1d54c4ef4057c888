import {
  ChevronRight,
  CreditCard,
  LayoutDashboard,
  type LucideIcon,
  Percent,
  Plus,
  Rocket,
  Settings,
} from "lucide-react";
import type { Special } from "@/api/types";
import { DeadlineCard } from "@/features/dashboard/components/deadline-card";
import { Header } from "@/features/dashboard/components/header";
import { MonthCard } from "@/features/dashboard/components/month-card";
import type { DashboardLinks, DashboardRestaurant } from "@/features/dashboard/types";
import { ChoosePlan } from "@/features/onboarding/components/choose-plan";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { OwnerSetup, type OwnerSetupProps } from "./owner-setup";

interface HubLinks extends DashboardLinks {
  settings: string;
  payments: string;
  dashboard: string;
  createOffer: string;
  quickStart: string;
  tiers: string;
  /** Where a new restaurant chooses its plan; null once it has. */
  choosePlan: string | null;
}

interface HubProps {
  restaurant: DashboardRestaurant;
  personName: string;
  links: HubLinks;
  setup: OwnerSetupProps["setup"];
  /** The open special that decides first. */
  next: Special | null;
  /** What the branded plan adds, in a sentence. */
  upgradeSummary: string;
}

/** The restaurant's status and links onward. The work itself is on the dashboard. */
export function Hub({ restaurant, personName, links, setup, next, upgradeSummary }: HubProps) {
  const isFree = restaurant.subscriptionTier === "free";
  const ways: Way[] = [
    [Plus, links.createOffer, "Create a special", "A dish, a price, a minimum, a deadline"],
    [Rocket, links.quickStart, "Quick Start", "Set up, publish, and announce your first special"],
    [Settings, links.settings, "Settings", "Profile, marketing, team, and web address"],
    [CreditCard, links.payments, "Payments", "Your Stripe account and payouts"],
    [Percent, links.tiers, "Plans and fees", "What you keep on each plan"],
  ];
  return (
    <>
      <Header restaurantName={restaurant.name} tier={restaurant.subscriptionTier} links={links} />
      <div className="wrap stack py-6 rhythm-6">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <h2 className="min-w-0">Welcome{personName && `, ${personName}`}</h2>
          <ButtonLink variant="primary" href={links.dashboard}>
            <LayoutDashboard size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
            Open Dashboard
          </ButtonLink>
        </div>
        {links.choosePlan && <ChoosePlan url={links.choosePlan} />}
        <OwnerSetup
          restaurantId={restaurant.id}
          setup={setup}
          settingsUrl={links.settings}
          paymentsUrl={links.payments}
          returnTo="/free-tier-dashboard"
        >
          <div className="grid gap-4 md:grid-cols-2">
            {next ? (
              <DeadlineCard offer={next} />
            ) : (
              <div className="card">
                <EmptyState
                  title="No open specials"
                  action={
                    <ButtonLink size="small" href={links.createOffer}>
                      Create a special
                    </ButtonLink>
                  }
                >
                  Publish one and you'll see its deadline here.
                </EmptyState>
              </div>
            )}
            {isFree && links.upgrade ? (
              <MonthCard
                count={restaurant.monthlySpecialOffersCount}
                plan={restaurant.freePlan}
                upgradeUrl={links.upgrade}
              />
            ) : (
              <BrandedCard count={restaurant.monthlySpecialOffersCount} tiersUrl={links.tiers} />
            )}
          </div>
        </OwnerSetup>
        <nav className="card" aria-labelledby="ways-title">
          <div className="card-body">
            <h2 id="ways-title" className="text-[length:var(--text-title-3)]">
              Go to
            </h2>
            <Ways ways={ways} />
          </div>
        </nav>
        {isFree && links.upgrade && <UpgradeCard summary={upgradeSummary} url={links.upgrade} />}
      </div>
    </>
  );
}

type Way = [icon: LucideIcon, href: string, title: string, text: string];

function Ways({ ways }: { ways: Way[] }) {
  return (
    <ul className="link-list mt-2">
      {ways.map(([Icon, href, title, text]) => (
        <li key={title}>
          <a href={href} className="flex-nowrap! items-center! gap-3!">
            <Icon className="muted shrink-0" size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
            <span className="grow">
              <strong className="block">{title}</strong>
              <span className="small muted">{text}</span>
            </span>
            <ChevronRight
              className="muted shrink-0"
              size="1.125rem"
              strokeWidth={1.5}
              aria-hidden="true"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function BrandedCard({ count, tiersUrl }: { count: number; tiersUrl: string }) {
  return (
    <section className="card" aria-labelledby="month-title">
      <div className="card-body stack rhythm-3">
        <p className="eyebrow">This month</p>
        <h3 id="month-title">
          {count} {count === 1 ? "offer" : "offers"} published
        </h3>
        <p className="muted">
          Your plan includes as many as you like. <a href={tiersUrl}>See fees</a>
        </p>
      </div>
    </section>
  );
}

function UpgradeCard({ summary, url }: { summary: string; url: string }) {
  return (
    <section className="card" aria-labelledby="upgrade-title">
      <div className="card-body flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 id="upgrade-title" className="text-[length:var(--text-title-3)]">
            Want More Features?
          </h2>
          <p className="muted">{summary} No monthly fee. Switch anytime.</p>
        </div>
        <ButtonLink href={url}>Upgrade Now</ButtonLink>
      </div>
    </section>
  );
}
