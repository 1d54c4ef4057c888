import { expect, test } from "vitest";
import { emailLink, shortLink, textMessageLink, whatsAppLink } from "./share-links";

const LINK = "https://luigis.example.com/s/1f3a9c20";

test("a short link is on the restaurant's host", () => {
  const special = {
    id: "1f3a9c20-0000-4000-8000-000000000000",
    shareableUrl: "https://luigis.example.com/specials/1f3a9c20-0000-4000-8000-000000000000",
  };
  expect(shortLink(special)).toBe(LINK);
});

test("what a guest could read as markup is only text in a link", () => {
  expect(whatsAppLink(`Fish & chips: ${LINK}`)).toBe(
    "https://wa.me/?text=Fish+%26+chips%3A+https%3A%2F%2Fluigis.example.com%2Fs%2F1f3a9c20",
  );
  expect(textMessageLink("Fish & chips?", "+1 (555) 010-0199")).toBe(
    "sms:+15550100199?body=Fish%20%26%20chips%3F",
  );
  expect(emailLink("A&B", "x\ny", "a@b.test")).toBe("mailto:a%40b.test?subject=A%26B&body=x%0Ay");
});
