import { type ReactNode, useState } from "react";
import { EmbedDialog } from "@/features/onboarding/components/embed-dialog";
import { SetPasswordForm } from "@/features/onboarding/components/set-password-form";
import { SubdomainForm } from "@/features/onboarding/components/subdomain-form";
import type { SetupProps } from "@/features/onboarding/types";
import { NameField } from "@/features/quick-start/components/name-field";
import { Button } from "@/ui/button";

/** A password for the account, and another one as long as the page is open. */
export function PasswordCard({ onSet }: { onSet: () => void }) {
  const [isSet, setIsSet] = useState(false);
  const [round, setRound] = useState(0);
  return (
    <div className="stack">
      <h3>{isSet ? "Update Account Password" : "Create Account Password"}</h3>
      <SetPasswordForm
        key={round}
        submitLabel={isSet ? "Update Password" : "Set Password"}
        onSet={() => {
          setIsSet(true);
          onSet();
        }}
      />
      {isSet && (
        <Button size="small" className="self-start" onClick={() => setRound(round + 1)}>
          Change password
        </Button>
      )}
    </div>
  );
}

interface ProfileCardProps extends SetupProps {
  menuUrl: string;
  embedUrl: string;
  onAddress: () => void;
}

/** The name guests read and the address they type. */
export function ProfileCard({ menuUrl, embedUrl, onAddress, ...setup }: ProfileCardProps) {
  const [restaurant, setRestaurant] = useState(setup.restaurant);
  const [editing, setEditing] = useState(false);
  const [learning, setLearning] = useState(false);
  const host = new URL(restaurant.publicUrl).host;
  const at = (link: string) => new URL(new URL(link).pathname, restaurant.publicUrl).href;
  return (
    <div className="stack rhythm-5">
      <NameField
        name={restaurant.name}
        onSaved={(name) => setRestaurant((before) => ({ ...before, name }))}
      />
      {editing ? (
        <SubdomainForm
          {...setup}
          restaurant={restaurant}
          submitLabel="Save"
          onSaved={({ subdomain, publicUrl }) => {
            setRestaurant((before) => ({ ...before, subdomain, publicUrl }));
            setEditing(false);
            onAddress();
          }}
        >
          <Button variant="quiet" onClick={() => setEditing(false)}>
            Cancel
          </Button>
        </SubdomainForm>
      ) : (
        <div className="stack rhythm-2">
          <p className="small font-semibold">Web address</p>
          <p className="address">
            <a href={restaurant.publicUrl} target="_blank" rel="noreferrer">
              {host}
            </a>
          </p>
          <div className="cluster">
            <Button size="small" onClick={() => setEditing(true)}>
              Edit web address
            </Button>
            <Button size="small" variant="quiet" onClick={() => setLearning(true)}>
              Learn about embedding
            </Button>
          </div>
        </div>
      )}
      <EmbedDialog
        open={learning}
        onClose={() => setLearning(false)}
        restaurantName={restaurant.name}
        menuUrl={at(menuUrl)}
        embedUrl={at(embedUrl)}
      />
    </div>
  );
}

/** Something is wrong with the whole page, said above everything else. */
export function ErrorBanner({ children }: { children: ReactNode }) {
  return (
    <div className="notice notice-berry" role="alert">
      <div>{children}</div>
    </div>
  );
}
