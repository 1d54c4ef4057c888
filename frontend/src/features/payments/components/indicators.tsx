import { CircleCheck, CircleDashed } from "lucide-react";
import type { ConnectStatus } from "@/api/types";

/** What Stripe has of the account, and what it lets it do. */
export function Indicators({ status }: { status: ConnectStatus }) {
  const lines: [string, boolean, string][] = [
    ["Details", status.details_submitted, status.details_submitted ? "Complete" : "Pending"],
    ["Payments", status.charges_enabled, status.charges_enabled ? "Enabled" : "Disabled"],
    ["Payouts", status.payouts_enabled, status.payouts_enabled ? "Enabled" : "Disabled"],
  ];
  return (
    <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-3">
      {lines.map(([label, done, word]) => {
        const Icon = done ? CircleCheck : CircleDashed;
        return (
          <div key={label} className="flex justify-between gap-3 sm:block">
            <dt className="small muted">{label}</dt>
            <dd
              className={`flex items-center gap-1.5 font-semibold ${done ? "text-herb" : "text-honey"}`}
            >
              <Icon className="shrink-0" size="1.125rem" strokeWidth={1.75} aria-hidden="true" />
              {word}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
