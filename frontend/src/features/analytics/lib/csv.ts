import type { Analytics, Figures } from "@/api/types";

const HEAD = ["Visits", "Orders", "Portions", "Conversion %", "Revenue", "Payout"];

const cells = ({ views, orders, portions, conversion, revenue, payout }: Figures) => [
  String(views),
  String(orders),
  String(portions),
  conversion ?? "",
  revenue,
  payout,
];

/** One cell; a text that a spreadsheet would take for a formula is marked as text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The period by day or week, then by special, as comma-separated values. */
export function csvOf(analytics: Analytics): string {
  const { unit, series, offers, totals } = analytics;
  const rows = [
    [unit === "day" ? "Day" : "Week from", ...HEAD],
    ...series.map(({ start, figures }) => [start, ...cells(figures)]),
    ["Total", ...cells(totals.figures)],
    [],
    ["Special", "Serve date", ...HEAD],
    ...offers.map(({ name, serveDate, figures }) => [name, serveDate, ...cells(figures)]),
  ];
  return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Hands a file to the browser's downloads. */
export function download(name: string, text: string): void {
  // The mark tells spreadsheets that it is UTF-8.
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
