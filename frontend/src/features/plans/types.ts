import type { Tier } from "./api/choose-plan";

/** The restaurant's plan, and the one that follows. */
export interface PlanState {
  /** As the API names it: `free`, `branded` or `enterprise`. */
  tier: string;
  /** Free or Branded. */
  name: string;
  /** A change that is scheduled, and its first day in words. */
  next: { name: string; day: string } | null;
  /** What changing to Free means, in sentences; empty on the Free plan. */
  downgradeEffects: string[];
}

export interface PlanOffer {
  tier: Tier;
  /** Free or Branded. */
  name: string;
  /** In a sentence, from the one fee schedule. */
  price: string;
  /** The rate that the contract wants sent along, such as "3.00". */
  share: string;
  points: string[];
  current: boolean;
  next: string;
}
