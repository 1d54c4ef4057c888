import type { Places } from "@/api/types";
import { deviceZone } from "@/lib/times";

const MOST_LIKELY = "US";

/** The country of this device's language, if it is one of ours: 'en-GB' is in the United Kingdom. */
export function guessedCountry(
  countries: Places["countries"],
  languages: readonly string[] = navigator.languages,
): string {
  const regions = languages.map((language) => language.split("-").at(-1) ?? "");
  const known = regions.find((region) => countries.some(({ code }) => code === region));
  return known ?? MOST_LIKELY;
}

/** The zone of this device's clock; `otherwise` for a clock that names no place. */
export function guessedZone(otherwise: string, zone: string = deviceZone()): string {
  return /^[A-Z][a-z]+\//.test(zone) && !zone.startsWith("Etc/") ? zone : otherwise;
}
