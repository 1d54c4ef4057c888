import {
  Ban,
  CalendarX,
  CircleCheckBig,
  CircleHelp,
  CreditCard,
  type LucideIcon,
  PackageCheck,
} from "lucide-react";
import type { Verdict } from "../types";

interface VerdictLook {
  words: string;
  tone: "herb" | "honey" | "berry";
  icon: LucideIcon;
  /** Milliseconds of vibration and rest: one buzz is a yes, two a no. */
  buzz: number[];
}

const NO = [120, 80, 120];

export const verdictLooks: Record<Verdict, VerdictLook> = {
  ready: { words: "Ready to pick up", tone: "herb", icon: CircleCheckBig, buzz: [60] },
  picked_up: { words: "Already picked up", tone: "honey", icon: PackageCheck, buzz: NO },
  wrong_day: { words: "Not today", tone: "honey", icon: CalendarX, buzz: NO },
  cancelled: { words: "Canceled", tone: "berry", icon: Ban, buzz: NO },
  not_paid: { words: "Not paid", tone: "berry", icon: CreditCard, buzz: NO },
  unknown: { words: "No order with that code", tone: "berry", icon: CircleHelp, buzz: NO },
};
