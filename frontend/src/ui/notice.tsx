import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface NoticeProps {
  tone?: "herb" | "honey" | "berry";
  /** Read out at once, for errors that just happened. */
  urgent?: boolean;
  children: ReactNode;
}

export function Notice({ tone, urgent = false, children }: NoticeProps) {
  return (
    <div
      className={classNames("notice", tone && `notice-${tone}`)}
      role={urgent ? "alert" : undefined}
    >
      <div className="stack rhythm-2">{children}</div>
    </div>
  );
}
