import { type ReactNode, useState } from "react";
import type { ChosenSubdomain, Places } from "@/api/types";
import { isPaidCountry } from "@/lib/paid-countries";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Select, TextInput } from "@/ui/inputs";
import { showError } from "@/ui/toaster";
import { UnpaidCountry } from "@/ui/unpaid-country";
import { useNameRestaurant } from "../api/name-restaurant";
import { useAddress } from "../hooks/use-address";
import { guessedCountry, guessedZone } from "../lib/guesses";
import type { SetupProps } from "../types";
import { AddressField } from "./address-field";

interface NameStepProps extends SetupProps {
  countries: Places["countries"];
  onDone: (restaurant: { name: string; timezone: string } & ChosenSubdomain) => void;
}

/** The restaurant's name, where it is, and the address that follows from the name. */
export function NameStep({ countries, onDone, ...setup }: NameStepProps) {
  const { restaurant } = setup;
  const [name, setName] = useState(restaurant.name);
  const [country, setCountry] = useState(() => restaurant.country || guessedCountry(countries));
  const [problem, setProblem] = useState<ReactNode>("");
  const [isBusy, setBusy] = useState(false);
  const address = useAddress(setup, name);
  const naming = useNameRestaurant();

  async function save() {
    const typed = name.trim();
    if (!typed) {
      setProblem("Restaurant name is required");
      return;
    }
    setProblem("");
    setBusy(true);
    // The device's time zone is proposed for a new restaurant; one with a name keeps its own.
    const timezone = restaurant.name ? restaurant.timezone : guessedZone(restaurant.timezone);
    try {
      await naming.mutateAsync({ name: typed, country, timezone });
    } catch (failure) {
      setBusy(false);
      const sentence = sentenceFor(failure, "We couldn't save the name. Try again.");
      setProblem(sentence);
      showError("Save failed", sentence);
      return;
    }
    const failure = await address.submit((saved) => onDone({ ...saved, name: typed, timezone }));
    if (failure) showError(failure.title, failure.message);
    setBusy(false);
  }

  return (
    <form
      noValidate
      className="stack rhythm-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label="Restaurant name"
        autoComplete="organization"
        maxLength={80}
        placeholder="Trattoria Pia"
        value={name}
        error={problem || undefined}
        onChange={(event) => {
          setName(event.target.value);
          setProblem("");
        }}
      />
      <AddressField
        address={address}
        hint="Guests find your specials there. You can change it later."
      />
      <Select
        label="Country"
        autoComplete="country"
        hint="This decides how you get paid."
        value={country}
        onChange={(event) => setCountry(event.target.value)}
      >
        <option value="">Choose a country</option>
        {countries.map(({ code, displayName }) => (
          <option key={code} value={code}>
            {displayName}
          </option>
        ))}
      </Select>
      {!isPaidCountry(country, { countries }) && <UnpaidCountry />}
      <Button
        type="submit"
        variant="primary"
        className="self-start max-sm:w-full"
        busy={isBusy}
        disabled={name.trim() !== "" && !address.canSave && !isBusy}
      >
        {isBusy ? "Saving..." : "Continue"}
      </Button>
    </form>
  );
}
