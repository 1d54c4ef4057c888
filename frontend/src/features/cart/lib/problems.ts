import { wordsFor } from "@/lib/failure-words";
import { gettext } from "@/lib/i18n";
import type { Problem } from "@/ui/problem-notice";
import { botCheckSentence } from "./with-bot-check";

/** Shown wherever a payment can't begin. */
export function notSetUp(failure?: unknown): Problem {
  const text = gettext("Unable to initialize payment. Please try again.");
  return {
    title: gettext("Payment Setup Failed"),
    text: botCheckSentence(failure) ?? wordsFor(failure, text),
  };
}

/** What the payment provider says about the card. */
export const refused = (message?: string): Problem => ({
  title: gettext("Payment Failed"),
  text: message ?? gettext("Your card was not accepted. Try another one."),
});
