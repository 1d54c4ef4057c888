import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** The heading's level: one below the tab's or the page's. */
  heading?: "h2" | "h3";
  children?: ReactNode;
  action?: ReactNode;
}

/** Shown in place of an empty list: why it is empty and what to do. */
export function EmptyState({ title, heading: Heading = "h3", children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="plate" aria-hidden="true" />
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
