/** A page of the payment provider. */
export interface Link {
  url: string;
}

/** Our pages that the payment provider may lead back to. */
export type ReturnPath =
  | "/restaurant"
  | "/restaurant/settings"
  | "/restaurant/stripe-management"
  | "/free-tier-dashboard"
  | "/free-tier-quick-start";
