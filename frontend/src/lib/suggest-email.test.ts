import { expect, test } from "vitest";
import { suggestEmail } from "./suggest-email";

test.each([
  ["grace@gmial.con", "grace@gmail.com"],
  ["grace@gmial.com", "grace@gmail.com"],
  ["grace@gamil.com", "grace@gmail.com"],
  ["grace@gmail.co", "grace@gmail.com"],
  ["grace@gmail.cm", "grace@gmail.com"],
  ["grace@gmai.com", "grace@gmail.com"],
  ["grace@hotmial.com", "grace@hotmail.com"],
  ["grace@hotmail.con", "grace@hotmail.com"],
  ["grace@hotmial.es", "grace@hotmail.es"],
  ["grace@yaho.es", "grace@yahoo.es"],
  ["grace@yahoo.co", "grace@yahoo.com"],
  ["grace@iclould.com", "grace@icloud.com"],
  ["grace@outlok.com", "grace@outlook.com"],
  ["grace@fullybooked.con", "grace@fullybooked.com"],
  [" José.Núñez+dinner@Gmial.com ", "José.Núñez+dinner@gmail.com"],
])("%s was probably meant as %s", (typed, meant) => {
  expect(suggestEmail(typed)).toBe(meant);
});

test.each([
  ...["gmail.com", "googlemail.com", "icloud.com", "me.com", "mac.com", "hey.com", "aol.com"],
  ...["yahoo.com", "yahoo.es", "yahoo.co.uk", "yahoo.com.mx", "yahoo.co.in", "yahoo.de"],
  ...["hotmail.com", "hotmail.es", "hotmail.co.uk", "hotmail.fr", "live.com", "live.nl"],
  ...["outlook.com", "outlook.es", "outlook.de", "msn.com", "mail.com", "email.com", "ymail.com"],
  ...[
    "gmx.de",
    "gmx.com",
    "gmx.at",
    "web.de",
    "t-online.de",
    "proton.me",
    "protonmail.ch",
    "pm.me",
  ],
  ...["comcast.net", "att.net", "qq.com", "zoho.com", "fastmail.com", "titan.email", "orange.fr"],
  ...["acme.com", "luigis.example", "demo.test", "ge.com", "ibm.com", "hotel.com", "olive.com"],
  ...["columbia.edu", "nyc.gov", "fullybooked.co", "bbc.co.uk", "maine.com", "yahoo-inc.com"],
  ...["cloudflare.com", "google.com", "apple.com", "microsoft.com", "mailbox.org", "tutanota.com"],
])("nobody with an address at %s is asked", (domain) => {
  expect(suggestEmail(`grace@${domain}`)).toBe("");
});

test.each(["", "grace", "grace@", "@gmial.com"])("nothing is suggested for %o", (typed) => {
  expect(suggestEmail(typed)).toBe("");
});
