import type { ReactNode } from "react";

export type BadgeTone = "active" | "other" | "herb" | "honey" | "berry" | "sky" | "plum";

interface BadgeProps {
  tone: BadgeTone;
  /** A label, not a state: it has no icon. */
  plain?: boolean;
  children: ReactNode;
}

/** A state in a word; an outcome's tone has its own icon. */
export function Badge({ tone, plain = false, children }: BadgeProps) {
  const color = tone === "other" ? "" : ` badge-${tone}`;
  return <span className={`badge${color}${plain ? " badge-plain" : ""}`}>{children}</span>;
}
