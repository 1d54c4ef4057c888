interface Countries {
  countries: { code: string; isPaid: boolean }[];
}

/** Whether a restaurant in this country can be paid; true until a country is chosen. */
export function isPaidCountry(code: string, { countries }: Countries): boolean {
  return countries.find((each) => each.code === code)?.isPaid ?? true;
}
