import type { Appearance, Stripe, StripeConstructorOptions } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { pageLanguage } from "./i18n";

export interface Processor {
  publishableKey: string;
  /** The script's address, unless it is Stripe's own. */
  scriptUrl: string;
}

const scripts = new Map<string, Promise<void>>();

/** Adds a script once; if it couldn't be loaded, the next call tries again. */
function addScript(url: string): Promise<void> {
  const added = scripts.get(url) ?? loadScript(url);
  scripts.set(url, added);
  added.catch(() => scripts.delete(url));
  return added;
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`The script at ${url} was not loaded.`));
    };
    document.head.append(script);
  });
}

/**
 * The page's language as the payment provider names it; for one that it doesn't know, the browser's.
 * https://docs.stripe.com/js/appendix/supported_locales
 */
function locale(): StripeConstructorOptions["locale"] {
  const language = pageLanguage().split("-")[0];
  return language === "en" || language === "es" ? language : "auto";
}

/**
 * The payment provider's script, loaded when a guest is about to pay and not before. Its fields and
 * what it says about a card are in the page's language:
 * https://docs.stripe.com/js/initializing#init_stripe_js-options-locale
 */
export async function loadProcessor({ publishableKey, scriptUrl }: Processor): Promise<Stripe> {
  if (scriptUrl && !("Stripe" in window)) await addScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale: locale() });
  if (!stripe) throw new Error("The card processor's script has no use here.");
  return stripe;
}

/**
 * Fetches the payment provider's script while the guest is still typing, so that the card fields
 * appear at once. If that fails, they appear later, and any error shows when they are needed.
 */
export function prepareProcessor(processor: Processor): void {
  loadProcessor(processor).catch(() => undefined);
}

/** Shows the bank's check for a card that was entered earlier. */
export async function answerBank(stripe: Stripe, clientSecret: string, returnUrl: string) {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  if (error) return { error };
  if (paymentIntent.status === "requires_action") return stripe.handleNextAction({ clientSecret });
  return stripe.confirmPayment({
    clientSecret,
    confirmParams: { return_url: returnUrl },
    redirect: "if_required",
  });
}

/** The page's own colors for the payment provider's fields, which cannot read its styles. */
export function fieldsLook(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    theme: dark ? "night" : "stripe",
    variables: {
      colorPrimary: dark ? "#ff9466" : "#b4380a",
      colorBackground: dark ? "#221e1a" : "#ffffff",
      colorText: dark ? "#f4eee6" : "#1f1a17",
      colorDanger: dark ? "#ff8a80" : "#a8201a",
      borderRadius: "8px",
      fontFamily: style.getPropertyValue("--font-text").trim() || "system-ui, sans-serif",
    },
  };
}
