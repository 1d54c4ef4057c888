import { useId, useState } from "react";
import type { ConnectStatus, Dish, Profile, Special } from "@/api/types";
import { Announce } from "@/features/announcements/components/announce";
import { useDishes } from "@/features/offers/api/list-dishes";
import { useOffers } from "@/features/offers/api/list-offers";
import { CreateOfferDialog } from "@/features/offers/components/create-offer-dialog";
import { ChoosePlan } from "@/features/onboarding/components/choose-plan";
import type { SetupProps } from "@/features/onboarding/types";
import { useConnectStatus } from "@/features/payments/api/get-connect-status";
import { PaymentSetup } from "@/features/payments/components/payment-setup";
import { useConnectReturn } from "@/features/payments/hooks/use-connect-return";
import { Finish } from "@/features/quick-start/components/finish";
import { QuickStartHeader } from "@/features/quick-start/components/header";
import { OfferSummary } from "@/features/quick-start/components/offer-summary";
import { UpgradeCard } from "@/features/quick-start/components/upgrade-card";
import { useProfile } from "@/features/settings/api/get-profile";
import { SocialForm } from "@/features/settings/components/social-form";
import { SetupSection } from "@/ui/setup-section";
import { showSuccess } from "@/ui/toaster";
import { ErrorBanner, PasswordCard, ProfileCard } from "./quick-start-cards";

interface QuickStartProps extends SetupProps {
  specials: Special[];
  dishes: Dish[];
  profile: Profile;
  payments: ConnectStatus;
  menuUrl: string;
  embedUrl: string;
  timeZone: string;
  isFree: boolean;
  hasChosenAddress: boolean;
  hasAnnounced: boolean;
  hubUrl: string;
  upgradeUrl: string;
  /** What the other plan adds, in a sentence. */
  upgradeSummary: string;
  /** Where a new restaurant chooses its plan; null once it has. */
  choosePlanUrl: string | null;
}

const cards = ["password", "profile", "offers", "social", "payments", "announce"] as const;
type Card = (typeof cards)[number];

/** From a confirmed email to an announced special, on one page. */
export function QuickStart(props: QuickStartProps) {
  const { restaurant, account, address, timeZone, isFree, hubUrl, upgradeUrl } = props;
  useConnectReturn();
  const announceId = useId();
  const profile = useProfile(props.profile).data ?? props.profile;
  const payments = useConnectStatus(props.payments);
  const offers = useOffers(props.specials);
  const dishes = useDishes(props.dishes).data?.dishes ?? [];
  const [hasPassword, setHasPassword] = useState(account.hasPassword);
  const [hasAddress, setHasAddress] = useState(props.hasChosenAddress);
  const [adding, setAdding] = useState(false);
  // A new special has its own text written; before that it is the owner's to begin.
  const [written, setWritten] = useState(0);
  const [message, setMessage] = useState("");

  const specials = offers.data?.specials ?? [];
  const hasOffers = specials.length > 0;
  const hasLinks = Object.values(profile.socialMediaLinks).some(Boolean);
  const isPaid = payments.data?.setup.state === "complete";
  const first: Card = !hasPassword
    ? "password"
    : !hasAddress
      ? "profile"
      : hasOffers
        ? "announce"
        : "offers";
  const [open, setOpen] = useState<Set<Card>>(() => new Set([first]));
  // Without the card of the password the others move up.
  const numbers = cards.filter((card) => card !== "password" || !account.hasPassword);
  const section = (card: Card, complete: boolean) => ({
    complete,
    number: numbers.indexOf(card) + 1,
    open: open.has(card),
    onOpenChange: (isOpen: boolean) =>
      setOpen(
        (before) => new Set(isOpen ? [...before, card] : [...before].filter((c) => c !== card)),
      ),
  });

  function offerCreated() {
    showSuccess("Special offer created! Now create your announcement.");
    setOpen((before) => new Set([...before, "announce" as const]));
    setWritten((count) => count + 1);
    // After the dialog has returned the focus.
    setTimeout(() => document.getElementById(announceId)?.scrollIntoView({ block: "start" }), 50);
  }

  return (
    <>
      <QuickStartHeader
        name={account.name || restaurant.name}
        isFree={isFree}
        hubUrl={hubUrl}
        upgradeUrl={upgradeUrl}
      />
      <div className="wrap settings py-8">
        <div className="stack rhythm-2">
          <h1>Quick Start</h1>
          <p>Create and announce your first special offer in minutes</p>
        </div>
        {props.choosePlanUrl && <ChoosePlan url={props.choosePlanUrl} />}
        {offers.isError && (
          <ErrorBanner>
            We couldn't load your specials. Nothing has changed; reload the page to see them.
          </ErrorBanner>
        )}
        {!account.hasPassword && (
          <SetupSection title="Password Setup" {...section("password", hasPassword)}>
            <PasswordCard onSet={() => setHasPassword(true)} />
          </SetupSection>
        )}
        <SetupSection title="Restaurant Profile & Web Address" {...section("profile", hasAddress)}>
          <ProfileCard
            restaurant={restaurant}
            account={account}
            address={address}
            menuUrl={props.menuUrl}
            embedUrl={props.embedUrl}
            onAddress={() => setHasAddress(true)}
          />
        </SetupSection>
        <SetupSection title="Create Special Offers" {...section("offers", hasOffers)}>
          <OfferSummary offers={specials} timeZone={timeZone} onAdd={() => setAdding(true)} />
        </SetupSection>
        <SetupSection title="Marketing & Social Media" {...section("social", hasLinks)}>
          <SocialForm profile={profile} />
        </SetupSection>
        <SetupSection title="Payment Setup" {...section("payments", isPaid)}>
          <PaymentSetup
            returnTo="/free-tier-quick-start"
            initial={props.payments}
            stripeAccountId={profile.stripeAccountId}
            timeZone={timeZone}
          />
        </SetupSection>
        <div id={announceId}>
          <SetupSection
            title="Announce Your Special Offers"
            {...section("announce", message.trim() !== "" || props.hasAnnounced)}
          >
            <Announce key={written} writeOnOpen={written > 0} onMessageChange={setMessage} />
          </SetupSection>
        </div>
        <Finish ready={message.trim() !== ""} hubUrl={hubUrl} />
        {isFree && <UpgradeCard summary={props.upgradeSummary} upgradeUrl={upgradeUrl} />}
      </div>
      <CreateOfferDialog
        open={adding}
        withPhoto={false}
        onClose={() => setAdding(false)}
        onCreated={offerCreated}
        dishes={dishes}
        timeZone={timeZone}
      />
    </>
  );
}
