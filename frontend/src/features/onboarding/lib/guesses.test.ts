import { expect, test } from "vitest";
import { guessedCountry, guessedZone } from "./guesses";

const countries = ["US", "GB", "DE"].map((code) => ({
  code,
  name: code,
  flag: "",
  displayName: code,
  isPaid: true,
}));

test.each([
  [["en-GB", "en"], "GB"],
  [["de", "de-DE"], "DE"],
  [["es-419"], "US"],
  [[], "US"],
])("whoever reads %j is guessed to be in %s", (languages, country) => {
  expect(guessedCountry(countries, languages)).toBe(country);
});

test("a clock that names no place leaves the zone as it is", () => {
  expect(guessedZone("America/New_York", "America/Los_Angeles")).toBe("America/Los_Angeles");
  expect(guessedZone("America/New_York", "UTC")).toBe("America/New_York");
  expect(guessedZone("America/New_York", "Etc/GMT+5")).toBe("America/New_York");
});
