import { useEffect, useState } from "react";
import { formatTimeLeft } from "@/lib/countdown";
import { gettext, interpolate } from "@/lib/i18n";

const secondsTo = (moment: string) =>
  Math.max(0, Math.ceil((Date.parse(moment) - Date.now()) / 1000));

/** How long the order is still reserved: a duration, because a time of day needs a time zone. */
export function ReservationClock({ until }: { until: string }) {
  const [left, setLeft] = useState(() => secondsTo(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(until)), 1000);
    return () => clearInterval(timer);
  }, [until]);

  if (left === 0) {
    return (
      <p className="small" role="status">
        {gettext("Not reserved anymore, but you can still finish while there are portions left.")}
      </p>
    );
  }
  // A turn on the waitlist lasts up to two hours.
  const isLong = left >= 60 * 60;
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const clock = isLong ? formatTimeLeft(left * 1000) : minutes;
  return (
    <p className="small muted tabular-nums" role="timer">
      {interpolate(gettext("Reserved for you. %s left"), [clock])}
    </p>
  );
}
