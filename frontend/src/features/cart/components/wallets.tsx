import { Elements, ExpressCheckoutElement, useElements } from "@stripe/react-stripe-js";
import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { useState } from "react";
import { gettext } from "@/lib/i18n";
import { walletButtons, type walletCosts, walletElements } from "../lib/wallets";

export interface WalletTerms {
  /** In cents. */
  total: number;
  currency: string;
  onBehalfOf: string;
  restaurantName: string;
  /** What the total consists of. */
  costs: ReturnType<typeof walletCosts>;
}

export type ConfirmWallet = (
  elements: StripeElements,
  event: StripeExpressCheckoutElementConfirmEvent,
) => Promise<void>;

interface WalletsProps {
  stripe: Stripe;
  terms: WalletTerms;
  /** A card for several holds is saved first. */
  isSetup: boolean;
  /** Whether a wallet may open now. */
  canOpen: () => boolean;
  onConfirm: ConfirmWallet;
}

/** The wallets' buttons and what stands between them and the card fields, or nothing without any. */
export function Wallets(props: WalletsProps) {
  const { stripe, terms, isSetup } = props;
  const mode = isSetup ? "setup" : "payment";
  return (
    <Elements stripe={stripe} options={walletElements({ mode, ...terms })}>
      <Buttons {...props} />
    </Elements>
  );
}

function Buttons({ terms, isSetup, canOpen, onConfirm }: WalletsProps) {
  const elements = useElements();
  const [shows, setShows] = useState<"unknown" | "some" | "none">("unknown");
  if (shows === "none") return null;
  return (
    <div className="stack rhythm-3">
      <div className="wallets">
        <ExpressCheckoutElement
          options={walletButtons(terms.restaurantName)}
          onReady={({ availablePaymentMethods }) =>
            setShows(availablePaymentMethods ? "some" : "none")
          }
          onLoadError={() => setShows("none")}
          onClick={({ resolve, reject }) => {
            if (!canOpen()) return reject();
            // They must not exceed the amount, and a setup has none.
            resolve(isSetup ? {} : { lineItems: terms.costs });
          }}
          onConfirm={(event) => {
            if (elements) void onConfirm(elements, event);
          }}
        />
      </div>
      {shows === "some" && <p className="or small muted">{gettext("Or pay with a card")}</p>}
    </div>
  );
}
