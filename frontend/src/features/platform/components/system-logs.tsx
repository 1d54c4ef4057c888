import { useState } from "react";
import type { LogEntry } from "@/api/types";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { useLogs } from "../api/get-logs";
import { asCsv, MOST_ENTRIES, merged, stamp } from "../lib/log";
import { toneOfLevel } from "../lib/tones";

/** What happened since the server started; it refreshes itself. */
export function SystemLogs({ initial }: { initial: LogEntry[] }) {
  const { data, isError, refetch, isFetching } = useLogs(initial);
  const [own, setOwn] = useState<LogEntry[]>([]);
  const entries = merged(data, own);

  async function refresh() {
    await refetch();
    const timestamp = stamp(new Date());
    const entry: LogEntry = {
      id: `own-${timestamp}-${own.length}`,
      timestamp,
      level: "INFO",
      message: "Logs refreshed manually",
    };
    setOwn((former) => [...former, entry].slice(-MOST_ENTRIES));
  }

  function save() {
    const file = new Blob([asCsv(entries)], { type: "text/csv;charset=utf-8" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `system-log-${stamp(new Date()).slice(0, 10)}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <section className="card" id="logs" aria-labelledby="logs-heading">
      <div className="card-body stack">
        <div className="cluster justify-between">
          <div className="cluster">
            <h2 id="logs-heading">System Logs</h2>
            {isError ? (
              <Badge tone="berry">Paused</Badge>
            ) : (
              <Badge tone="herb" plain>
                Live
              </Badge>
            )}
          </div>
          <p className="cluster">
            <Button busy={isFetching && own.length > 0} onClick={() => void refresh()}>
              Refresh
            </Button>
            <Button onClick={save}>Export</Button>
          </p>
        </div>
        <p className="small muted">
          The latest {MOST_ENTRIES} entries since this server started, in UTC. The whole history is
          in <a href="/staff/activity">Activity</a>.
        </p>
        {isError && (
          <p className="error" role="alert">
            We couldn't read the log. We'll try again in a few seconds.
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard too */}
        <ol className="log" tabIndex={0} aria-label="Log entries">
          {entries.map(({ id, timestamp, level, message }) => (
            <li key={id}>
              <time dateTime={`${timestamp.replace(" ", "T")}Z`}>{timestamp}</time>{" "}
              <Badge tone={toneOfLevel(level)} plain>
                {level}
              </Badge>{" "}
              <span className="break-words">{message}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
