import { useEffect, useId, useRef, useState } from "react";
import type { ConnectStatus, Dish, Places, Profile, SetupStep, Special } from "@/api/types";
import { Announce } from "@/features/announcements/components/announce";
import { useDishes } from "@/features/offers/api/list-dishes";
import { useOffers } from "@/features/offers/api/list-offers";
import { CreateOfferDialog } from "@/features/offers/components/create-offer-dialog";
import type { SetupProps } from "@/features/onboarding/types";
import { useConnectStatus } from "@/features/payments/api/get-connect-status";
import { PaymentSetup } from "@/features/payments/components/payment-setup";
import { useConnectReturn } from "@/features/payments/hooks/use-connect-return";
import { Finish } from "@/features/quick-start/components/finish";
import { QuickStartHeader } from "@/features/quick-start/components/header";
import { OfferSummary } from "@/features/quick-start/components/offer-summary";
import { UpgradeCard } from "@/features/quick-start/components/upgrade-card";
import { type Card, cardOf, cards, firstOpen, nextOpen } from "@/features/quick-start/lib/cards";
import { useProfile } from "@/features/settings/api/get-profile";
import { OpeningDay } from "@/features/settings/components/opening-day";
import { SocialForm } from "@/features/settings/components/social-form";
import { SetupSection } from "@/ui/setup-section";
import { ShareSpecial } from "@/ui/share-special";
import { showSuccess } from "@/ui/toaster";
import { ErrorBanner, PasswordCard, ProfileCard } from "./quick-start-cards";

interface QuickStartProps extends SetupProps {
  steps: SetupStep[];
  /** The step asked for, if any: it is open first. */
  step: string;
  specials: Special[];
  dishes: Dish[];
  profile: Profile;
  payments: ConnectStatus;
  countries: Places["countries"];
  menuUrl: string;
  embedUrl: string;
  isFree: boolean;
  hubUrl: string;
  upgradeUrl: string;
  /** What the other plan adds, in a sentence. */
  upgradeSummary: string;
}

const RETURN_TO = "/free-tier-quick-start";

/** From a confirmed email to a special that guests can order: one step open at a time. */
export function QuickStart(props: QuickStartProps) {
  const { account, address, isFree, hubUrl, upgradeUrl } = props;
  useConnectReturn();
  const id = useId();
  const profile = useProfile(props.profile).data ?? props.profile;
  const payments = useConnectStatus(props.payments);
  const offers = useOffers(props.specials);
  const dishes = useDishes(props.dishes).data?.dishes ?? [];
  const [restaurant, setRestaurant] = useState(props.restaurant);
  const [isNamed, setNamed] = useState(restaurant.name !== "" && address.isChosen);
  const [hasPassword, setHasPassword] = useState(account.hasPassword);
  const [adding, setAdding] = useState(false);
  // A new special has its own text written, once: after that it is the owner's.
  const [round, setRound] = useState(0);
  const [isWritten, setWritten] = useState(false);
  const [message, setMessage] = useState("");
  const hasCreated = useRef(false);

  const isDone = (key: string) => props.steps.some((step) => step.key === key && step.isDone);
  const specials = offers.data?.specials ?? [];
  const newest = specials
    .filter(({ isActive }) => isActive)
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
  const hasOffers = specials.length > 0 || isDone("special");
  const done: Record<Card, boolean> = {
    profile: isNamed,
    offers: hasOffers,
    payments: payments.data?.setup.state === "complete",
    announce: message.trim() !== "" || isDone("share"),
    social: Object.values(profile.socialMediaLinks).some(Boolean),
    password: hasPassword,
  };
  const [open, setOpen] = useState<Card | null>(() => cardOf(props.step) ?? firstOpen(done));
  const isPassing = useRef(false);

  /** Go on to a step that is left: scroll to it, and focus it for screen readers. */
  function goOn(card: Card | null) {
    isPassing.current = true;
    setOpen(card);
  }

  useEffect(() => {
    if (!isPassing.current || !open) return;
    isPassing.current = false;
    const section = document.getElementById(`${id}-${open}`);
    section?.scrollIntoView({ block: "start" });
    section?.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  }, [open, id]);

  // Back from the payment provider, the account is read again, because a step may be done by then.
  const isPaid = done.payments;
  const wasPaid = useRef(isPaid);
  useEffect(() => {
    if (isPaid && !wasPaid.current && open === "payments") goOn(nextOpen(done, "payments"));
    wasPaid.current = isPaid;
  });
  const takesOrders = payments.data?.setup.takesOrders ?? false;
  const tookOrders = useRef(takesOrders);
  const { refetch } = offers;
  useEffect(() => {
    // From now on guests can order what is published, and the page says so.
    if (takesOrders && !tookOrders.current) void refetch();
    tookOrders.current = takesOrders;
  }, [takesOrders, refetch]);

  // The password's card is left out if there was one before, and the others are numbered without
  // it.
  const shown = cards.filter((card) => card !== "password" || !account.hasPassword);
  const section = (card: Card) => ({
    complete: done[card],
    number: shown.indexOf(card) + 1,
    open: open === card,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? card : null),
  });

  function offerCreated() {
    showSuccess("Special offer created! Now create your announcement.");
    hasCreated.current = true;
    setWritten(false);
    setRound((count) => count + 1);
  }

  function closeForm() {
    setAdding(false);
    if (hasCreated.current) goOn("announce");
    hasCreated.current = false;
  }

  const paymentSetup = (
    <PaymentSetup
      returnTo={RETURN_TO}
      initial={props.payments}
      stripeAccountId={profile.stripeAccountId}
      timeZone={restaurant.timezone}
    />
  );
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
        {offers.isError && (
          <ErrorBanner>
            We couldn't load your specials. Nothing has changed; reload the page to see them.
          </ErrorBanner>
        )}
        <div id={`${id}-profile`}>
          <SetupSection title="Restaurant Profile & Web Address" {...section("profile")}>
            <ProfileCard
              restaurant={restaurant}
              account={account}
              address={{ ...address, isChosen: isNamed }}
              countries={props.countries}
              isNamed={isNamed}
              menuUrl={props.menuUrl}
              embedUrl={props.embedUrl}
              onChange={setRestaurant}
              onNamed={() => {
                setNamed(true);
                goOn(nextOpen({ ...done, profile: true }, "profile"));
              }}
            />
          </SetupSection>
        </div>
        <div id={`${id}-offers`}>
          <SetupSection title="Create Special Offers" {...section("offers")}>
            <OfferSummary
              offers={specials}
              timeZone={restaurant.timezone}
              isNamed={isNamed}
              onAdd={() => setAdding(true)}
              onName={() => goOn("profile")}
            />
          </SetupSection>
        </div>
        <div id={`${id}-payments`}>
          <SetupSection title="Payment Setup" {...section("payments")}>
            <div className="stack rhythm-6">
              {paymentSetup}
              {!takesOrders && <OpeningDay profile={profile} />}
            </div>
          </SetupSection>
        </div>
        <div id={`${id}-announce`}>
          <SetupSection title="Announce Your Special Offers" {...section("announce")}>
            {newest && (
              <div className="stack rhythm-2 pb-6">
                <h3>Send guests the link</h3>
                <p className="muted">
                  {newest.preordersOpen
                    ? `Guests can order ${newest.name} now.`
                    : `Guests can see ${newest.name} now, and order it once Stripe is connected.`}
                </p>
                <ShareSpecial special={newest} timeZone={restaurant.timezone} />
              </div>
            )}
            <Announce
              key={round}
              writeOnOpen={hasOffers && open === "announce" && !isWritten}
              onMessageChange={(text) => {
                setMessage(text);
                if (text) setWritten(true);
              }}
            />
          </SetupSection>
        </div>
        <div id={`${id}-social`}>
          <SetupSection title="Marketing & Social Media" {...section("social")}>
            <SocialForm profile={profile} />
          </SetupSection>
        </div>
        {!account.hasPassword && (
          <div id={`${id}-password`}>
            <SetupSection title="Password Setup" {...section("password")}>
              <PasswordCard onSet={() => setHasPassword(true)} />
            </SetupSection>
          </div>
        )}
        <Finish
          ready={message.trim() !== ""}
          hint={
            hasOffers
              ? "Open “Announce Your Special Offers” and we'll write the text."
              : "Publish a special first. You can also come back to this page later."
          }
          hubUrl={hubUrl}
        />
        {isFree && <UpgradeCard summary={props.upgradeSummary} upgradeUrl={upgradeUrl} />}
      </div>
      <CreateOfferDialog
        open={adding}
        onClose={closeForm}
        onCreated={offerCreated}
        dishes={dishes}
        timeZone={restaurant.timezone}
        connect={paymentSetup}
      />
    </>
  );
}
