import { Sparkles } from "lucide-react";
import { useState } from "react";
import type { Analytics } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { todayIn } from "@/lib/times";
import { Button, ButtonLink } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { type Question, useAnalytics } from "../api/get-analytics";
import { exampleAnalytics } from "../lib/example";
import { periodName } from "../lib/periods";
import { Controls } from "./controls";
import { Report } from "./report";

interface AnalyticsPageProps {
  restaurantName: string;
  timeZone: string;
  /** The last thirty days; null where the plan has no analytics. */
  analytics: Analytics | null;
  upgradeUrl: string | null;
}

/** How the specials do. */
export function AnalyticsPage(props: AnalyticsPageProps) {
  const { restaurantName, timeZone, analytics, upgradeUrl } = props;
  return (
    <div className="stack rhythm-6">
      <div className="stack rhythm-1">
        <p className="eyebrow">{restaurantName}</p>
        <h1>Analytics</h1>
      </div>
      {analytics ? (
        <Live initial={analytics} timeZone={timeZone} />
      ) : (
        <Example timeZone={timeZone} upgradeUrl={upgradeUrl} />
      )}
    </div>
  );
}

function Live({ initial, timeZone }: { initial: Analytics; timeZone: string }) {
  const [question, setQuestion] = useState<Question>({
    from: initial.period.first,
    to: initial.period.last,
    offer: "",
  });
  const found = useAnalytics(question, initial);
  const shown = found.data ?? initial;
  return (
    <>
      <Controls
        question={question}
        onAsk={setQuestion}
        analytics={shown}
        today={todayIn(timeZone)}
      />
      {found.isError ? (
        <Notice tone="berry" urgent>
          <p>{sentenceFor(found.error, "We couldn't load your analytics.")}</p>
          <Button size="small" className="self-start" onClick={() => found.refetch()}>
            Try again
          </Button>
        </Notice>
      ) : (
        <div
          className={`stack transition-opacity ${found.isPlaceholderData ? "opacity-60" : ""}`}
          aria-busy={found.isPlaceholderData || undefined}
        >
          <p className="muted" role="status">
            {periodName(shown.period)}, compared with {periodName(shown.periodBefore)}.
          </p>
          <Report analytics={shown} />
        </div>
      )}
    </>
  );
}

function Example({ timeZone, upgradeUrl }: { timeZone: string; upgradeUrl: string | null }) {
  return (
    <>
      <Notice tone="honey">
        <p>
          <strong>Analytics are part of the Branded plan.</strong> See how many people view your
          specials, how many order, what they bring in, and who comes back. Below is sample data.
        </p>
        {upgradeUrl ? (
          <ButtonLink variant="primary" className="self-start" href={upgradeUrl}>
            <Sparkles size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Upgrade to Branded
          </ButtonLink>
        ) : (
          <p>The restaurant's owner can upgrade.</p>
        )}
      </Notice>
      <div className="stack">
        <p className="eyebrow">Sample data</p>
        <Report analytics={exampleAnalytics(todayIn(timeZone))} />
      </div>
    </>
  );
}
