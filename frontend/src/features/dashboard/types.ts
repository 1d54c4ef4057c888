/** The restaurant as its dashboard knows it. */
export interface DashboardRestaurant {
  id: string;
  name: string;
  subdomain: string;
  timezone: string;
  subscriptionTier: string;
  taxRate: string;
  /** Whether cards can be charged for this restaurant (X68). */
  paymentsReady: boolean;
  publicUrl: string;
  menuUrl: string;
  monthlySpecialOffersCount: number;
  freeOffersRemaining: number;
  specialOffersLimitReached: boolean;
}

export interface DashboardLinks {
  logout: string;
  settings: string;
  upgrade: string;
}
