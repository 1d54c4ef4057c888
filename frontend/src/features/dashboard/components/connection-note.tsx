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
            <span>No connection: this is how things stood a moment ago. It goes on by itself.</span>
          ) : (
            <span>
              You are signed out, so nothing is updated. <a href="/login">Sign in again</a>
            </span>
          )}
        </p>
      )}
    </div>
  );
}
