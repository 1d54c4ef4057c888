import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { isPaidCountry } from "@/lib/paid-countries";
import { Select, TextInput } from "@/ui/inputs";
import { UnpaidCountry } from "@/ui/unpaid-country";
import type { RegisterValues } from "../lib/register-schema";

export interface Places {
  countries: { code: string; displayName: string; isPaid: boolean }[];
  states: string[];
}

interface RestaurantStepProps {
  form: UseFormReturn<RegisterValues>;
  places: Places;
  termsUrl: string;
}

/** Step 2: the restaurant, and the terms. */
export function RestaurantStep({ form, places, termsUrl }: RestaurantStepProps) {
  const id = useId();
  const {
    register,
    watch,
    formState: { errors },
  } = form;
  const country = watch("country") ?? "";
  const isUnitedStates = country === "US";
  return (
    <div className="stack rhythm-5">
      <TextInput
        label="Restaurant name"
        autoComplete="organization"
        maxLength={255}
        error={errors.restaurantName?.message}
        {...register("restaurantName")}
      />
      <div className="field-row">
        <Select
          label="Country"
          optional
          autoComplete="country"
          error={errors.country?.message}
          {...register("country")}
        >
          <option value="">Choose a country</option>
          {places.countries.map(({ code, displayName }) => (
            <option key={code} value={code}>
              {displayName}
            </option>
          ))}
        </Select>
        {isUnitedStates ? (
          <Select
            label="State"
            optional
            autoComplete="address-level1"
            error={errors.state?.message}
            {...register("state")}
          >
            <option value="">Choose a state</option>
            {places.states.map((state) => (
              <option key={state} value={state}>
                {state}
              </option>
            ))}
          </Select>
        ) : (
          <TextInput
            label="State or region"
            optional
            autoComplete="address-level1"
            maxLength={50}
            error={errors.state?.message}
            {...register("state")}
          />
        )}
      </div>
      {!isPaidCountry(country, places) && <UnpaidCountry />}
      <TextInput
        label="Street address"
        autoComplete="street-address"
        maxLength={255}
        error={errors.streetAddress?.message}
        {...register("streetAddress")}
      />
      <div className="field-row">
        <TextInput
          label="City"
          autoComplete="address-level2"
          maxLength={100}
          error={errors.city?.message}
          {...register("city")}
        />
        <TextInput
          label="ZIP code"
          optional
          autoComplete="postal-code"
          maxLength={20}
          error={errors.zipCode?.message}
          {...register("zipCode")}
        />
      </div>
      <TextInput
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={50}
        error={errors.phone?.message}
        {...register("phone")}
      />
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            aria-invalid={errors.hasAgreedToTerms ? true : undefined}
            aria-describedby={errors.hasAgreedToTerms ? `${id}-terms` : undefined}
            {...register("hasAgreedToTerms")}
          />
          <span>
            I agree to the{" "}
            <a href={termsUrl} target="_blank" rel="noreferrer">
              Terms of Service
            </a>
          </span>
        </label>
        {errors.hasAgreedToTerms && (
          <p className="error" id={`${id}-terms`} role="alert">
            {errors.hasAgreedToTerms.message}
          </p>
        )}
      </div>
    </div>
  );
}
