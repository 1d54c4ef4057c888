import type { Places, Profile, ProfileInput } from "@/api/types";
import { mergeEdits } from "@/lib/merge-edits";
import { asWeek, mergeWeeks, type Week, weekdays, weekError, weekWords } from "./opening-hours";

/** The editor's values: text as typed, so that nothing is lost. */
export interface ProfileValues {
  name: string;
  ownerName: string;
  description: string;
  spanishDescription: string;
  phone: string;
  country: string;
  streetAddress: string;
  city: string;
  state: string;
  zipCode: string;
  latitude: string;
  longitude: string;
  timezone: string;
  website: string;
  cuisineType: string;
  taxRate: string;
  taxNumber: string;
  currency: string;
  dineInNote: string;
  pickupNote: string;
  spanishDineInNote: string;
  spanishPickupNote: string;
  /** A text when the owner has written the hours in words. */
  hoursOfOperation: Week | string;
}
export type ProfileField = keyof ProfileValues;
export type TextField = Exclude<ProfileField, "hoursOfOperation">;

const OWNER_NAME = /^[\p{L}\p{M} '’-]*\p{L}[\p{L}\p{M} '’-]*$/u;
const HIGHEST_TAX_RATE = 30;
const NO_PHONE = "Enter a phone number that guests can call.";

/** The editor filled with a profile. */
export function profileValues(profile: Profile): ProfileValues {
  return {
    name: profile.name,
    ownerName: profile.ownerName,
    description: profile.description,
    spanishDescription: profile.spanishDescription,
    phone: profile.phone,
    country: profile.country,
    streetAddress: profile.streetAddress,
    city: profile.city,
    state: profile.state,
    zipCode: profile.zipCode,
    latitude: profile.latitude === null ? "" : String(profile.latitude),
    longitude: profile.longitude === null ? "" : String(profile.longitude),
    timezone: profile.timezone,
    website: profile.website,
    cuisineType: profile.cuisineType,
    taxRate: profile.taxRate,
    taxNumber: profile.taxNumber,
    currency: profile.currency,
    dineInNote: profile.dineInNote,
    pickupNote: profile.pickupNote,
    spanishDineInNote: profile.spanishDineInNote,
    spanishPickupNote: profile.spanishPickupNote,
    hoursOfOperation: asWeek(profile.hoursOfOperation) ?? String(profile.hoursOfOperation),
  };
}

export const profileFields = Object.keys({
  name: 1,
  ownerName: 1,
  description: 1,
  spanishDescription: 1,
  phone: 1,
  country: 1,
  streetAddress: 1,
  city: 1,
  state: 1,
  zipCode: 1,
  latitude: 1,
  longitude: 1,
  timezone: 1,
  website: 1,
  cuisineType: 1,
  taxRate: 1,
  taxNumber: 1,
  currency: 1,
  dineInNote: 1,
  pickupNote: 1,
  spanishDineInNote: 1,
  spanishPickupNote: 1,
  hoursOfOperation: 1,
} satisfies Record<ProfileField, 1>) as ProfileField[];

/** What each field is called where it is named beside others. */
export const fieldLabels: Record<ProfileField, string> = {
  name: "Restaurant name",
  ownerName: "Owner's name",
  description: "Description",
  spanishDescription: "Description in Spanish",
  phone: "Phone",
  country: "Country",
  streetAddress: "Street address",
  city: "City",
  state: "State",
  zipCode: "ZIP code",
  latitude: "Latitude",
  longitude: "Longitude",
  timezone: "Time zone",
  website: "Website",
  cuisineType: "Cuisine",
  taxRate: "Sales tax",
  taxNumber: "Tax number",
  currency: "Currency",
  dineInNote: "For guests who dine in",
  pickupNote: "For guests who pick up",
  spanishDineInNote: "For guests who dine in, in Spanish",
  spanishPickupNote: "For guests who pick up, in Spanish",
  hoursOfOperation: "Opening hours",
};

function comparable(value: ProfileValues[ProfileField]): string {
  if (typeof value === "string") return value.trim();
  return JSON.stringify(weekdays.map((day) => value[day] ?? []));
}

/** Whether two values of a field are the same to the server. */
export function isSame(one: ProfileValues[ProfileField], other: ProfileValues[ProfileField]) {
  return comparable(one) === comparable(other);
}

/** Both edits of a profile, one over the other: field by field, and the hours day by day. */
export function mergeProfiles(base: ProfileValues, theirs: ProfileValues, mine: ProfileValues) {
  const weeks = [base, theirs, mine].map(({ hoursOfOperation: hours }) =>
    typeof hours === "string" ? null : hours,
  );
  const [were, are, typed] = weeks;
  const week = were && are && typed ? mergeWeeks(were, are, typed) : null;
  if (!week) return mergeEdits(base, theirs, mine, isSame);
  const before = { ...base, hoursOfOperation: theirs.hoursOfOperation };
  return mergeEdits(before, theirs, { ...mine, hoursOfOperation: week }, isSame);
}

/** A field's value as a person reads it. */
export function profileWords(value: ProfileValues[ProfileField]): string {
  return (typeof value === "string" ? value.trim() : weekWords(value)) || "empty";
}

const isUrl = (text: string) => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text) && URL.canParse(text);

function degreesError(name: string, most: number, text: string): string | undefined {
  if (text === "") return undefined;
  const isThere = /^[+-]?\d+(\.\d*)?$/.test(text) && Math.abs(Number(text)) <= most;
  return isThere ? undefined : `${name} must be between -${most} and ${most}`;
}

function taxError(text: string): string | undefined {
  if (!/^\d+(\.\d*)?$/.test(text) || Number(text) > HIGHEST_TAX_RATE) {
    return `Sales tax must be between 0 and ${HIGHEST_TAX_RATE} percent.`;
  }
  return /\.\d{5}/.test(text) ? "Sales tax can have at most four decimal places." : undefined;
}

/** What is wrong with a field, in a sentence; the server checks it again. */
export function validateField<Field extends ProfileField>(
  field: Field,
  value: ProfileValues[Field],
): string | undefined {
  if (typeof value !== "string") return weekError(value);
  const text = value.trim();
  switch (field) {
    case "name":
      return text ? undefined : "Restaurant name is required";
    case "ownerName":
      return !text || OWNER_NAME.test(text)
        ? undefined
        : "Use 1 to 100 letters, spaces, hyphens, and apostrophes.";
    case "phone":
      return !text || /\d/.test(text) ? undefined : NO_PHONE;
    case "website":
      return !text || isUrl(text) ? undefined : "Must be a valid URL";
    case "latitude":
      return degreesError("Latitude", 90, text);
    case "longitude":
      return degreesError("Longitude", 180, text);
    case "taxRate":
      return taxError(text);
    default:
      return undefined;
  }
}

/** These fields as the API takes them. */
export function profileBody(values: ProfileValues, fields: ProfileField[]): ProfileInput {
  const entries = fields.map((field) => {
    const value = values[field];
    if (typeof value !== "string") return [field, value];
    const text = value.trim();
    const isDegrees = field === "latitude" || field === "longitude";
    return [field, isDegrees ? (text === "" ? null : Number(text)) : text];
  });
  return Object.fromEntries(entries);
}

/** The URL of a site that was typed without its scheme. */
export function withScheme(typed: string): string {
  const text = typed.trim();
  return text === "" || /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
}

/** Whether a country, by code or by name, is the one with the states. */
export const isUnitedStates = (country: string) =>
  /^(us|usa|united states( of america)?)$/i.test(country.trim());

/** The list option for a stored country, or the stored text itself. */
export function countryOption(country: string, places: Places): string {
  const text = country.trim().toLowerCase();
  const found = places.countries.find(
    ({ code, name }) => code.toLowerCase() === text || name.toLowerCase() === text,
  );
  return found?.code ?? (isUnitedStates(country) ? "US" : country);
}

/** The option that stands for a stored state: 'NY' was typed where 'New York' is offered. */
export function stateOption(state: string, places: Places): string {
  const place = places.stateCodes.indexOf(state.trim().toUpperCase());
  return places.states[place] ?? state;
}
