import type { Places, Profile } from "@/api/types";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { SetupSection } from "@/ui/setup-section";
import { SkeletonRows } from "@/ui/skeleton";
import { usePlaces } from "../api/get-places";
import { useProfile } from "../api/get-profile";
import { ProfileEditor } from "./profile-editor";
import { SocialForm } from "./social-form";

interface LoadedProps {
  profile?: Profile;
  places?: Places;
}

/** The dashboard's settings: the profile, which opens and closes. */
export function SettingsTab({ profile: initial, places: initialPlaces }: LoadedProps) {
  const profile = useProfile(initial);
  const places = usePlaces(initialPlaces);
  const failed = profile.isError || places.isError;
  if (failed) {
    return <LoadFailure again={() => void Promise.all([profile.refetch(), places.refetch()])} />;
  }
  if (!profile.data || !places.data) return <SkeletonRows rows={4} label="Loading profile" />;
  return (
    <div className="stack max-w-[48rem]">
      <SetupSection title="Restaurant Profile" summary={profileSummary(profile.data)} startsOpen>
        <ProfileEditor profile={profile.data} places={places.data} />
      </SetupSection>
      <p>
        <a href="/restaurant/settings">All settings</a>
      </p>
    </div>
  );
}

/** The dashboard's marketing: the links to social media. */
export function MarketingTab({ profile: initial }: LoadedProps) {
  const profile = useProfile(initial);
  if (profile.isError) return <LoadFailure again={() => void profile.refetch()} />;
  if (!profile.data) return <SkeletonRows rows={3} label="Loading marketing settings" />;
  return (
    <section className="card max-w-[48rem]" aria-labelledby="social-links">
      <div className="card-body stack">
        <div>
          <h2 id="social-links">Social media links</h2>
          <p className="muted">Where you announce your specials and guests follow you.</p>
        </div>
        <SocialForm profile={profile.data} />
        <p>
          <a href="/dashboard/marketing">All marketing settings</a>
        </p>
      </div>
    </section>
  );
}

/** What is left to do for a complete profile, in a sentence. */
export function profileSummary({ missingProfileFields: missing }: Profile): string {
  if (missing.length === 0) return "Your profile is complete.";
  return `Still missing: ${missing.join(", ")}.`;
}

function LoadFailure({ again }: { again: () => void }) {
  return (
    <Notice tone="berry" urgent>
      <p>Failed to load restaurant details. Please try refreshing the page.</p>
      <Button size="small" className="self-start" onClick={again}>
        Try again
      </Button>
    </Notice>
  );
}
