import { Megaphone, Tags } from "lucide-react";
import { useState } from "react";
import type { Profile } from "@/api/types";
import { Tabs } from "@/ui/tabs";
import { useProfile } from "../api/get-profile";
import { CurrentLinks } from "./current-links";
import { MapToggle } from "./map-toggle";
import { BackLink } from "./page-head";
import { PhoneToggle } from "./phone-toggle";
import { RatingsToggle } from "./ratings-toggle";
import { SocialForm } from "./social-form";
import { feeText, TierComparison, type TierComparisonProps } from "./tier-comparison";

interface MarketingSettingsProps {
  profile: Profile;
  tiers: TierComparisonProps;
  hubUrl: string;
}

/** Links and map on one tab, the tier on the other. */
export function MarketingSettings({ profile: initial, tiers, hubUrl }: MarketingSettingsProps) {
  const profile = useProfile(initial).data ?? initial;
  const [tab, setTab] = useState("marketing");
  return (
    <div className="stack rhythm-6">
      <BackLink href={hubUrl} />
      <div>
        <p className="eyebrow">{profile.name}</p>
        <h1>Marketing</h1>
      </div>
      <Tabs
        label="Marketing sections"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: "marketing",
            label: "Marketing Settings",
            icon: Megaphone,
            content: <Marketing profile={profile} />,
          },
          {
            value: "tier",
            label: "Tier",
            icon: Tags,
            content: (
              <div className="stack rhythm-6">
                <section className="card" aria-labelledby="current-tier">
                  <div className="card-body stack rhythm-2">
                    <h2 id="current-tier">
                      Your plan: {tiers.current === "free" ? "Free" : "Branded"}
                    </h2>
                    <p>{feeText(tiers.fees, tiers.current)}</p>
                  </div>
                </section>
                <TierComparison {...tiers} />
              </div>
            ),
          },
        ]}
      />
    </div>
  );
}

function Marketing({ profile }: { profile: Profile }) {
  return (
    <div className="settings-columns">
      <div className="stack rhythm-6">
        <section className="card" aria-labelledby="social-links">
          <div className="card-body stack">
            <h2 id="social-links">Social media links</h2>
            <SocialForm profile={profile} />
          </div>
        </section>
        <section className="card" aria-labelledby="map">
          <div className="card-body stack">
            <h2 id="map">For your guests</h2>
            <MapToggle profile={profile} />
            <RatingsToggle profile={profile} />
            <PhoneToggle profile={profile} />
          </div>
        </section>
      </div>
      <div className="stack rhythm-6">
        <section className="card" aria-labelledby="your-restaurant">
          <div className="card-body stack">
            <h2 id="your-restaurant">Your restaurant</h2>
            <dl className="facts">
              <Fact name="Name" value={profile.name} />
              <Fact name="Email" value={profile.email} />
              <Fact name="Phone" value={profile.phone} />
              <Fact name="Address" value={profile.address} />
            </dl>
            <p>
              <a href="/restaurant/settings">Change these in Settings</a>
            </p>
          </div>
        </section>
        <section className="card" aria-labelledby="current-links">
          <div className="card-body stack">
            <h2 id="current-links">Current social links</h2>
            <CurrentLinks links={profile.socialMediaLinks} />
          </div>
        </section>
      </div>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="break-words">{value || <span className="muted">Not set yet</span>}</dd>
    </div>
  );
}
