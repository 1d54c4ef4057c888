import type { ReactNode } from "react";

export type BadgeTone = "active" | "other" | "herb" | "honey" | "berry" | "sky" | "plum";

interface BadgeProps {
  tone: BadgeTone;
  /** A label and not a state: without the icon of its tone. */
  plain?: boolean;
  children: ReactNode;
}

/** A state in a word; the tones of an outcome bring their own icon. */
export function Badge({ tone, plain = false, children }: BadgeProps) {
  const color = tone === "other" ? "" : ` badge-${tone}`;
  return <span className={`badge${color}${plain ? " badge-plain" : ""}`}>{children}</span>;
}
