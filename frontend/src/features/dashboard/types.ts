import type { FreePlan } from "./lib/free-offers";

/** The restaurant as its dashboard knows it. */
export interface DashboardRestaurant {
  id: string;
  name: string;
  subdomain: string;
  timezone: string;
  subscriptionTier: string;
  taxRate: string;
  /** Whether cards can be charged for this restaurant (DECISIONS X68). */
  paymentsReady: boolean;
  /** What a new restaurant can sell until its first payout; empty once that has arrived. */
  salesLimit: string;
  publicUrl: string;
  menuUrl: string;
  monthlySpecialOffersCount: number;
  freeOffersRemaining: number;
  specialOffersLimitReached: boolean;
  freePlan: FreePlan;
}

/** The dashboard's links; null for what this member can't do. */
export interface DashboardLinks {
  logout: string;
  account: string;
  settings: string | null;
  upgrade: string | null;
  menu: string;
  calendar: string;
  pickUp: string | null;
  analytics: string | null;
  payments: string | null;
  /** Where an owner chooses which notices to get. */
  notices: string | null;
  /** To the list of one's restaurants, for someone with several. */
  switch: string | null;
}

/** The signed-in member. */
export interface DashboardPerson {
  name: string;
  isRestaurantOwner: boolean;
  hasCompletedOnboarding: boolean;
}

/** What a person's role may do in this restaurant; the server asks again for every call. */
export interface Rights {
  editOffers: boolean;
  seeOrders: boolean;
  fulfillOrders: boolean;
  editOrders: boolean;
  exportOrders: boolean;
  seeLedger: boolean;
  manage: boolean;
}
