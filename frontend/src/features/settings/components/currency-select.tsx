import type { Places, Profile } from "@/api/types";
import { Select } from "@/ui/inputs";
import type { ProfileForm } from "../hooks/use-profile-form";
import { fieldOf } from "./text-field";

interface CurrencySelectProps {
  form: ProfileForm;
  places: Places;
  profile: Profile;
}

/** The currency of every price: a choice until the first order, fixed from then on. */
export function CurrencySelect({ form, places, profile }: CurrencySelectProps) {
  if (profile.currencyFixed) {
    const chosen = places.currencies.find(({ value }) => value === profile.currency);
    return (
      <div className="field">
        <span className="label">Currency</span>
        <p>
          <strong>{chosen?.label ?? profile.currency.toUpperCase()}</strong>
        </p>
        <p className="hint">You can't change the currency after your first order.</p>
      </div>
    );
  }
  return (
    <Select
      label="Currency"
      hint="Prices aren't converted: 24.00 stays 24.00. You can't change it after your first order."
      {...fieldOf(form, "currency")}
    >
      {places.currencies.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
