import { WifiOff } from "lucide-react";
import type { Live } from "@/lib/use-live";

/** Says quietly that the page has stopped following, and what happens next. */
export function ConnectionNote({ connection }: { connection: Live["connection"] }) {
  return (
    <div role="status">
      {connection !== "on" && (
        <p className="small muted cluster">
          <WifiOff size={16} strokeWidth={1.5} aria-hidden="true" />
          {connection === "off" ? (
            <span>You're offline. This page updates as soon as you're back online.</span>
          ) : (
            <span>
              You're signed out, so this page isn't updating. <a href="/login">Sign in again</a>
            </span>
          )}
        </p>
      )}
    </div>
  );
}
