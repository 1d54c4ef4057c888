import type { ReactNode } from "react";
import { Notice } from "@/ui/notice";

export interface Problem {
  title: string;
  text: string;
}

/** What went wrong just now and what to do, read out at once. */
export function ProblemNotice({
  problem,
  children,
}: {
  problem: Problem | null;
  children?: ReactNode;
}) {
  if (!problem) return null;
  return (
    <Notice tone="berry" urgent>
      <p>
        <strong>{problem.title}</strong>
        <br />
        {problem.text}
      </p>
      {children}
    </Notice>
  );
}
