import type { OfferChange, RescueInput, Special, Timeline } from "@/api/types";

/** What an owner can do for a special before its deadline. */
export type RescueAction = RescueInput["action"];

export interface TimelineProps {
  timeline: Timeline;
  special: Special;
  changes: OfferChange[];
  timeZone: string;
}
