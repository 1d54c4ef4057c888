import { WifiOff } from "lucide-react";
import type { Live } from "@/lib/use-live";

/** Says unobtrusively that the page isn't being updated, and what happens next. */
export function ConnectionNote({ connection }: { connection: Live["connection"] }) {
  return (
    <div role="status">
      {connection !== "on" && (
        <p className="status-line muted">
          <WifiOff size="1rem" strokeWidth={1.5} aria-hidden="true" />
          <span className="font-normal">
            <Reason connection={connection} />
          </span>
        </p>
      )}
    </div>
  );
}

function Reason({ connection }: { connection: Live["connection"] }) {
  if (connection === "off") {
    return <>You're offline. This page updates as soon as you're back online.</>;
  }
  if (connection === "failing") {
    return <>Something is wrong on our side. This page updates as soon as we're back.</>;
  }
  const here = location.pathname + location.search;
  return (
    <>
      You're signed out, so this page isn't updating.{" "}
      <a href={`/login?next=${encodeURIComponent(here)}`}>Sign in again</a>
    </>
  );
}
