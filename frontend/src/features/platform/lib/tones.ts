import type { BadgeTone } from "@/ui/badge";

const roles: Record<string, BadgeTone> = { admin: "sky", user: "herb", editor: "plum" };
const levels: Record<string, BadgeTone> = {
  INFO: "sky",
  SUCCESS: "herb",
  REQUEST: "honey",
  ERROR: "berry",
};

/** The color of a role, written in any case. */
export const toneOfRole = (role: string): BadgeTone => roles[role.toLowerCase()] ?? "other";

export const toneOfLevel = (level: string): BadgeTone => levels[level] ?? "other";
