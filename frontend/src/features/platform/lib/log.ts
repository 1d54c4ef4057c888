import type { LogEntry } from "@/api/types";

export const MOST_ENTRIES = 50;

/** The moment in UTC, as the log writes it: 2026-11-22 21:30:05. */
export const stamp = (moment: Date) => moment.toISOString().slice(0, 19).replace("T", " ");

/** The server's entries and this page's own, in order; the latest fifty. */
export function merged(entries: LogEntry[], own: LogEntry[]): LogEntry[] {
  const all = [...entries, ...own];
  all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  return all.slice(-MOST_ENTRIES);
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The log as a file for spreadsheets. */
export function asCsv(entries: LogEntry[]): string {
  const rows = entries.map(({ timestamp, level, message }) => [timestamp, level, message]);
  return [["timestamp", "level", "message"], ...rows]
    .map((row) => row.map(quoted).join(","))
    .join("\r\n");
}
