import { CreditCard, Sparkles, Store } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Places, Profile } from "@/api/types";
import { ButtonLink } from "@/ui/button";
import { SetupSection } from "@/ui/setup-section";
import { Tabs } from "@/ui/tabs";
import { useProfile } from "../api/get-profile";
import { MapToggle } from "./map-toggle";
import { BackLink } from "./page-head";
import { PhoneToggle } from "./phone-toggle";
import { ProfileEditor } from "./profile-editor";
import { Ways } from "./settings-links";
import { profileSummary } from "./settings-tabs";
import { SocialForm } from "./social-form";
import { SubscriptionPanel } from "./subscription-panel";
import { feeText, type TierComparisonProps } from "./tier-comparison";

export interface SettingsProps {
  profile: Profile;
  places: Places;
  tiers: TierComparisonProps;
  welcome: string;
  /** `marketing` opens that section and closes the profile. */
  section: string;
  hubUrl: string;
  /** The payment setup's own component: another feature's. */
  paymentSetup: ReactNode;
}

/** The free tier's settings: three numbered sections, each with a check when it is done. */
export function FreeSettings(props: SettingsProps) {
  const { places, tiers, welcome, section, hubUrl, paymentSetup } = props;
  const profile = useProfile(props.profile).data ?? props.profile;
  const openSection = section === "marketing" || section === "payments" ? section : "profile";
  return (
    <div className="settings">
      <div className="settings-links">
        <BackLink href={hubUrl} />
        <ButtonLink size="small" href={tiers.upgradeUrl}>
          <Sparkles size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          Upgrade
        </ButtonLink>
      </div>
      <div className="stack rhythm-2">
        <p className="eyebrow">{profile.name}</p>
        <h1>Settings</h1>
        <p>Welcome, {welcome}. Three steps to help guests find, follow, and pay you.</p>
      </div>
      <SetupSection
        number={1}
        title="Restaurant Profile"
        summary={profileSummary(profile)}
        complete={profile.profileCompleted}
        startsOpen={openSection === "profile"}
      >
        <ProfileEditor profile={profile} places={places} />
      </SetupSection>
      <SetupSection
        number={2}
        title="Marketing & Social Media"
        summary="Where you announce specials and what guests see."
        complete={profile.marketingCompleted}
        startsOpen={openSection === "marketing"}
      >
        <div className="stack rhythm-6">
          <SocialForm profile={profile} />
          <MapToggle profile={profile} />
          <PhoneToggle profile={profile} />
        </div>
      </SetupSection>
      <SetupSection
        number={3}
        title="Payment Setup"
        summary="How you get paid."
        complete={profile.stripeCompleted}
        startsOpen={openSection === "payments"}
      >
        {paymentSetup}
      </SetupSection>
      <section className="card upgrade" aria-labelledby="upgrade">
        <div className="card-body stack">
          <h2 id="upgrade">Unlimited specials under your own brand</h2>
          <p>{feeText(tiers.fees, "branded")}</p>
          <div className="cluster">
            <ButtonLink variant="primary" href={tiers.upgradeUrl}>
              Upgrade to Branded Tier
            </ButtonLink>
            <ButtonLink variant="quiet" href="/restaurant/tiers">
              Compare plans
            </ButtonLink>
          </div>
        </div>
      </section>
      <Ways profile={profile} />
    </div>
  );
}

/** The branded tier's settings. */
export function BrandedSettings(props: SettingsProps) {
  const { places, tiers, section, hubUrl, paymentSetup } = props;
  const profile = useProfile(props.profile).data ?? props.profile;
  const [tab, setTab] = useState(section === "subscription" ? "subscription" : "settings");
  const settings = (
    <div className="stack rhythm-6">
      <SetupSection
        title="Restaurant Profile"
        summary={profileSummary(profile)}
        startsOpen={section !== "marketing" && section !== "payments"}
      >
        <ProfileEditor profile={profile} places={places} saveLabel="Save Profile" />
      </SetupSection>
      <SetupSection
        title="Marketing & Social Media"
        summary="Where you announce specials and what guests see."
        startsOpen={section === "marketing"}
      >
        <div className="stack rhythm-6">
          <SocialForm profile={profile} />
          <MapToggle profile={profile} />
          <PhoneToggle profile={profile} />
        </div>
      </SetupSection>
      <SetupSection
        title="Payment Setup"
        summary="How you get paid."
        startsOpen={section === "payments" || !profile.stripeCompleted}
      >
        {paymentSetup}
      </SetupSection>
      <Ways profile={profile} />
    </div>
  );
  return (
    <div className="settings">
      <BackLink href={hubUrl} />
      <div>
        <p className="eyebrow">{profile.name}</p>
        <h1>Branded Tier Settings</h1>
      </div>
      <Tabs
        label="Settings sections"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "settings", label: "Restaurant Settings", icon: Store, content: settings },
          {
            value: "subscription",
            label: "Subscription",
            icon: CreditCard,
            content: <SubscriptionPanel tiers={tiers} />,
          },
        ]}
      />
    </div>
  );
}
