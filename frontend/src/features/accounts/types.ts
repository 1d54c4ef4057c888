/** What signing in or confirming answers, as far as the pages need it. */
export interface SignedIn {
  user: { name: string; isRestaurantOwner: boolean; hasCompletedOnboarding: boolean };
  restaurant: { name: string } | null;
  /** For API clients, not for us; null when the answer signed nobody in. */
  token: string | null;
}
