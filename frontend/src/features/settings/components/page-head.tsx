import { ArrowLeft } from "lucide-react";

/** The link back to the hub. */
export function BackLink({ href }: { href: string }) {
  return (
    <p>
      <a className="back-link" href={href}>
        <ArrowLeft size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
        Back to Dashboard
      </a>
    </p>
  );
}
