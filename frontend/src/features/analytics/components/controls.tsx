import { Download } from "lucide-react";
import { useState } from "react";
import type { Analytics } from "@/api/types";
import { Button } from "@/ui/button";
import { DateInput, Select } from "@/ui/inputs";
import type { Question } from "../api/get-analytics";
import { csvOf, download } from "../lib/csv";
import { lastDays, presetOf, presets } from "../lib/periods";

interface ControlsProps {
  question: Question;
  onAsk: (question: Question) => void;
  analytics: Analytics;
  /** The restaurant's day. */
  today: string;
}

/** Which period, which special, and the figures as a file. */
export function Controls({ question, onAsk, analytics, today }: ControlsProps) {
  const { from, to, offer } = question;
  const preset = presetOf(from, to, today);
  const [custom, setCustom] = useState(preset === undefined);
  return (
    <div className="stack">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <fieldset className="cluster">
          <legend className="visually-hidden">Period</legend>
          {presets.map((days) => (
            <Button
              key={days}
              size="small"
              variant={!custom && preset === days ? "primary" : "secondary"}
              aria-pressed={!custom && preset === days}
              onClick={() => {
                setCustom(false);
                onAsk({ ...lastDays(days, today), offer });
              }}
            >
              {days} days
            </Button>
          ))}
          <Button
            size="small"
            variant={custom ? "primary" : "secondary"}
            aria-pressed={custom}
            onClick={() => setCustom(true)}
          >
            Custom
          </Button>
        </fieldset>
        <div className="flex w-full items-end gap-2 sm:w-auto">
          <div className="min-w-0 flex-1 sm:w-64">
            <Select
              label="Special"
              value={offer}
              onChange={(event) => onAsk({ from, to, offer: event.target.value })}
            >
              <option value="">All specials</option>
              {analytics.offers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
          <Button onClick={() => download(`analytics-${from}-${to}.csv`, csvOf(analytics))}>
            <Download size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            CSV
          </Button>
        </div>
      </div>
      {custom && (
        <div className="field-row max-w-md">
          <DateInput
            label="From"
            value={from}
            max={to}
            onChange={({ target }) => target.value && onAsk({ from: target.value, to, offer })}
          />
          <DateInput
            label="To"
            value={to}
            min={from}
            onChange={({ target }) => target.value && onAsk({ from, to: target.value, offer })}
          />
        </div>
      )}
    </div>
  );
}
