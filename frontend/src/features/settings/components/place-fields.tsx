import type { Places } from "@/api/types";
import { isPaidCountry } from "@/lib/paid-countries";
import { Select, TextInput } from "@/ui/inputs";
import { UnpaidCountry } from "@/ui/unpaid-country";
import type { ProfileForm } from "../hooks/use-profile-form";
import { countryOption, isUnitedStates, stateOption } from "../lib/profile-form";
import { fieldOf } from "./text-field";

/** The address; states are asked for in the United States alone. */
export function PlaceFields({ form, places }: { form: ProfileForm; places: Places }) {
  const { country, state } = form.values;
  const chosenCountry = countryOption(country, places);
  const chosenState = stateOption(state, places);
  const isListed = places.countries.some(({ code }) => code === chosenCountry);

  return (
    <>
      <div className="field-row">
        <Select
          label="Country"
          autoComplete="country"
          {...fieldOf(form, "country")}
          value={chosenCountry}
          onChange={({ target }) =>
            form.change(
              isUnitedStates(target.value)
                ? { country: target.value }
                : { country: target.value, state: "" },
            )
          }
        >
          <option value="">Choose a country</option>
          {chosenCountry && !isListed && <option value={chosenCountry}>{chosenCountry}</option>}
          {places.countries.map(({ code, displayName }) => (
            <option key={code} value={code}>
              {displayName}
            </option>
          ))}
        </Select>
        {isUnitedStates(country) && (
          <Select
            label="State"
            autoComplete="address-level1"
            {...fieldOf(form, "state")}
            value={chosenState}
          >
            <option value="">Choose a state</option>
            {chosenState && !places.states.includes(chosenState) && (
              <option value={chosenState}>{chosenState}</option>
            )}
            {places.states.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
      {!isPaidCountry(chosenCountry, places) && <UnpaidCountry />}
      <TextInput
        label="Street address"
        autoComplete="street-address"
        maxLength={255}
        {...fieldOf(form, "streetAddress")}
      />
      <div className="field-row">
        <TextInput
          label="City"
          autoComplete="address-level2"
          maxLength={100}
          {...fieldOf(form, "city")}
        />
        <TextInput
          label="ZIP code"
          optional
          autoComplete="postal-code"
          maxLength={20}
          {...fieldOf(form, "zipCode")}
        />
      </div>
      <div className="field-row">
        <TextInput
          label="Latitude"
          optional
          inputMode="text"
          autoComplete="off"
          placeholder="40.7191"
          {...fieldOf(form, "latitude")}
        />
        <TextInput
          label="Longitude"
          optional
          inputMode="text"
          autoComplete="off"
          placeholder="-73.9973"
          {...fieldOf(form, "longitude")}
        />
      </div>
    </>
  );
}
