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
  label: string;
  tone: "herb" | "honey" | "berry";
  icon: LucideIcon;
  /** Milliseconds of vibration and rest: one buzz is a yes, two a no. */
  buzz: number[];
}

const NO = [120, 80, 120];

export const verdictLooks: Record<Verdict, VerdictLook> = {
  ready: { label: "Ready to pick up", tone: "herb", icon: CircleCheckBig, buzz: [60] },
  picked_up: { label: "Already picked up", tone: "honey", icon: PackageCheck, buzz: NO },
  wrong_day: { label: "Not today", tone: "honey", icon: CalendarX, buzz: NO },
  cancelled: { label: "Canceled", tone: "berry", icon: Ban, buzz: NO },
  not_paid: { label: "Not paid", tone: "berry", icon: CreditCard, buzz: NO },
  unknown: { label: "No order with that code", tone: "berry", icon: CircleHelp, buzz: NO },
};
