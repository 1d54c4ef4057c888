import type { ReactNode } from "react";

export type BadgeTone = "active" | "other" | "herb" | "honey" | "berry";

/** A state in a word; the tones of an outcome bring their own icon. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return <span className={tone === "other" ? "badge" : `badge badge-${tone}`}>{children}</span>;
}
