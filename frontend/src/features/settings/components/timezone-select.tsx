import { useMemo } from "react";
import type { Places } from "@/api/types";
import { Select } from "@/ui/inputs";
import type { ProfileForm } from "../hooks/use-profile-form";
import { fieldOf } from "./text-field";

/** Every zone this browser knows, by the part of the world it is in. */
function zonesByRegion(known: Set<string>): [string, string[]][] {
  const regions = new Map<string, string[]>();
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const [region = zone] = zone.split("/");
    if (!known.has(zone)) regions.set(region, [...(regions.get(region) ?? []), zone]);
  }
  return [...regions];
}

/** The six of the United States first, then any other (DECISIONS X59). */
export function TimezoneSelect({ form, places }: { form: ProfileForm; places: Places }) {
  const { timezone } = form.values;
  const first = places.timezones;
  const others = useMemo(() => zonesByRegion(new Set(first.map(({ value }) => value))), [first]);
  const isListed =
    first.some(({ value }) => value === timezone) ||
    others.some(([, zones]) => zones.includes(timezone));

  return (
    <Select
      label="Time zone"
      hint="Used for serve dates, reports, and your monthly count. Published deadlines don't change."
      {...fieldOf(form, "timezone")}
    >
      {!isListed && <option value={timezone}>{timezone}</option>}
      <optgroup label="United States">
        {first.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </optgroup>
      {others.map(([region, zones]) => (
        <optgroup key={region} label={region}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll("_", " ")}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}
