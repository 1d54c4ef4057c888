import { Plus, X } from "lucide-react";
import { Button } from "@/ui/button";
import { TextArea } from "@/ui/inputs";
import type { ProfileForm } from "../hooks/use-profile-form";
import {
  dayError,
  dayName,
  likeOn,
  MOST_SPANS,
  type Span,
  type Week,
  type Weekday,
  weekdays,
  withDay,
  withOneMore,
} from "../lib/opening-hours";

/** Opening hours for each weekday; a day has as many spans as it needs. */
export function HoursEditor({ form }: { form: ProfileForm }) {
  const hours = form.values.hoursOfOperation;
  const keep = (next: Week | string) => form.change({ hoursOfOperation: next });
  const save = () => form.leave("hoursOfOperation");

  if (typeof hours === "string") {
    return (
      <div className="stack">
        <TextArea
          label="Opening hours, as text"
          rows={3}
          maxLength={500}
          value={hours}
          error={form.errors.hoursOfOperation}
          onChange={({ target }) => keep(target.value)}
          onBlur={save}
        />
        <Button size="small" className="self-start" onClick={() => keep({})}>
          Enter them by weekday instead
        </Button>
      </div>
    );
  }

  const firstOpen = weekdays.find((day) => hours[day]?.length);
  const rest = firstOpen && weekdays.some((day) => day !== firstOpen && !hours[day]?.length);
  return (
    <div className="stack rhythm-3">
      <ul className="rows hours">
        {weekdays.map((day) => (
          <Day
            key={day}
            day={day}
            spans={hours[day] ?? []}
            error={form.errors.hoursOfOperation && dayError(day, hours[day] ?? [])}
            onChange={(spans) => keep(withDay(hours, day, spans))}
            onSave={save}
          />
        ))}
      </ul>
      {rest && (
        <Button
          size="small"
          className="self-start"
          onClick={() => {
            keep(likeOn(hours, firstOpen));
            save();
          }}
        >
          Copy {dayName(firstOpen)} to every day
        </Button>
      )}
      {form.errors.hoursOfOperation && (
        <p className="error" role="alert">
          {form.errors.hoursOfOperation}
        </p>
      )}
    </div>
  );
}

interface DayProps {
  day: Weekday;
  spans: Span[];
  error: string | undefined;
  onChange: (spans: Span[]) => void;
  onSave: () => void;
}

function Day({ day, spans, error, onChange, onSave }: DayProps) {
  const name = dayName(day);
  const at = (place: number, changed: Partial<Span>) =>
    onChange(spans.map((span, index) => (index === place ? { ...span, ...changed } : span)));

  return (
    <li>
      <span className="hours-day">{name}</span>
      <div className="hours-spans">
        {spans.length === 0 && <span className="muted">Closed</span>}
        {spans.map((span, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place in the day
          <div key={place} className="hours-span">
            <Clock
              label={`${name}, opens`}
              value={span.opens}
              invalid={!!error}
              onChange={(opens) => at(place, { opens })}
              onBlur={onSave}
            />
            <span aria-hidden="true">–</span>
            <Clock
              label={`${name}, closes`}
              value={span.closes}
              invalid={!!error}
              onChange={(closes) => at(place, { closes })}
              onBlur={onSave}
            />
            <Button
              size="small"
              variant="quiet"
              aria-label={`Remove ${name}'s hours from ${span.opens}`}
              onClick={() => {
                onChange(spans.filter((_, index) => index !== place));
                onSave();
              }}
            >
              <X size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            </Button>
          </div>
        ))}
      </div>
      {spans.length < MOST_SPANS && (
        <Button
          size="small"
          variant="quiet"
          aria-label={spans.length ? `Add more hours on ${name}` : `Open on ${name}`}
          onClick={() => {
            const more = withOneMore(spans);
            onChange(more);
            if (more.at(-1)?.opens) onSave();
          }}
        >
          <Plus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          <span className="max-sm:sr-only">{spans.length ? "More" : "Open"}</span>
        </Button>
      )}
    </li>
  );
}

interface ClockProps {
  label: string;
  value: string;
  invalid: boolean;
  onChange: (value: string) => void;
  onBlur: () => void;
}

function Clock({ label, value, invalid, onChange, onBlur }: ClockProps) {
  return (
    <input
      type="time"
      className="control"
      aria-label={label}
      aria-invalid={invalid || undefined}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
    />
  );
}
