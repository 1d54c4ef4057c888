import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** One below the heading it stands under: a tab's, or that of a page. */
  heading?: "h2" | "h3";
  children?: ReactNode;
  action?: ReactNode;
}

/** What stands where a list has nothing: why, and what to do about it. */
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
