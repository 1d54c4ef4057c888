import { POPULAR_DOMAINS, POPULAR_TLDS, run } from "@zootools/email-spell-checker";

/** What is corrected to, where one or two characters are wrong. Short ones, such as me.com, are not among
 * them: too many companies' domains are like them. */
const CORRECTED_TO = [
  ...["gmail.com", "googlemail.com", "icloud.com", "protonmail.com"],
  ...["yahoo.com", "yahoo.es", "hotmail.com", "hotmail.es", "outlook.com", "outlook.es"],
  ...["comcast.net", "verizon.net", "bellsouth.net", "sbcglobal.net"],
];

/** Real domains that are like one of those. */
const REAL = new Set([
  ...POPULAR_DOMAINS,
  ...["mail.com", "email.com", "gmx.com", "gmx.net", "mac.com", "cloud.com", "fastmail.com"],
]);

/** Providers with a domain in many countries, and the countries. `.co` is a slip of `.com` here. */
const PROVIDERS = ["gmx", "hotmail", "live", "outlook", "protonmail", "yahoo"];
const ENDINGS = [
  ...POPULAR_TLDS.filter((ending) => ending !== "co"),
  ...["pt", "pe", "my", "lt", "lv", "ee", "rs", "tr", "com.ar", "com.br", "com.co", "com.hk"],
  ...["com.mx", "com.my", "com.pe", "com.ph", "com.sg", "com.tr", "com.ve", "com.vn"],
  ...["co.id", "co.in", "co.kr", "co.th", "co.za"],
];

/** Slips of `.com` that are no domain's ending: https://data.iana.org/TLD/tlds-alpha-by-domain.txt */
const NOT_AN_ENDING = /\.(?:c[ip]m|cmo|comm|con|coom|c0m|ocm|vom|xom)$/;

/** The address that was probably meant, or "" if the one that was typed looks right. */
export function suggestEmail(typed: string): string {
  const at = typed.trim().lastIndexOf("@");
  const address = typed.trim().slice(0, at + 1);
  const domain = typed
    .trim()
    .slice(at + 1)
    .toLowerCase();
  if (at < 1 || !domain) return "";
  const ended = domain.replace(NOT_AN_ENDING, ".com");
  const found = REAL.has(ended)
    ? undefined
    : run({
        email: `guest@${ended}`,
        domains: CORRECTED_TO,
        secondLevelDomains: PROVIDERS,
        topLevelDomains: ENDINGS,
        // Parts of other domains are not corrected.
        secondLevelThreshold: 0.1,
        topLevelThreshold: 0.1,
      });
  const meant = found?.domain ?? ended;
  return meant === domain ? "" : address + meant;
}
