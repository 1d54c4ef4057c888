import { type ReactNode, useState } from "react";
import type { Places } from "@/api/types";
import { EmbedDialog } from "@/features/onboarding/components/embed-dialog";
import { NameStep } from "@/features/onboarding/components/name-step";
import { SetPasswordForm } from "@/features/onboarding/components/set-password-form";
import { SubdomainForm } from "@/features/onboarding/components/subdomain-form";
import type { SetupProps } from "@/features/onboarding/types";
import { NameField } from "@/features/quick-start/components/name-field";
import { Button } from "@/ui/button";

/** Sets the account's password, and can change it as long as the page is open. */
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
  countries: Places["countries"];
  /** Whether name and address were given; until then they are asked for together. */
  isNamed: boolean;
  menuUrl: string;
  embedUrl: string;
  onChange: (restaurant: SetupProps["restaurant"]) => void;
  onNamed: () => void;
}

/** The name guests read and the address they type. */
export function ProfileCard(props: ProfileCardProps) {
  const { restaurant, account, address, countries, isNamed, onChange, onNamed } = props;
  const [editing, setEditing] = useState(false);
  const [learning, setLearning] = useState(false);
  const setup = { restaurant, account, address };
  const host = new URL(restaurant.publicUrl).host;
  const at = (link: string) => new URL(new URL(link).pathname, restaurant.publicUrl).href;
  if (!isNamed) {
    return (
      <NameStep
        {...setup}
        countries={countries}
        onDone={(saved) => {
          onChange({ ...restaurant, ...saved });
          onNamed();
        }}
      />
    );
  }
  return (
    <div className="stack rhythm-5">
      <NameField name={restaurant.name} onSaved={(name) => onChange({ ...restaurant, name })} />
      {editing ? (
        <SubdomainForm
          {...setup}
          submitLabel="Save"
          onSaved={({ subdomain, publicUrl }) => {
            onChange({ ...restaurant, subdomain, publicUrl });
            setEditing(false);
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
        menuUrl={at(props.menuUrl)}
        embedUrl={at(props.embedUrl)}
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
