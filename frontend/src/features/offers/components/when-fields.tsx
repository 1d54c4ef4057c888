import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { formatDay, formatMoment, todayIn, zonedMoment } from "@/lib/times";
import { DateInput, DateTimeInput } from "@/ui/inputs";
import { type DeadlineChoice, deadlineChoices, defaultDeadline } from "../lib/deadlines";
import type { OfferFormValues } from "../lib/offer-schema";

interface WhenFieldsProps {
  form: UseFormReturn<OfferFormValues>;
  timeZone: string;
  /** Why neither day nor deadline can change anymore; without it both can. */
  locked?: string;
}

/** The day it's served, and the deadline in words: all on the restaurant's clock. */
export function WhenFields({ form, timeZone, locked }: WhenFieldsProps) {
  const {
    register,
    setValue,
    watch,
    formState: { errors },
  } = form;
  const [now] = useState(() => new Date());
  const [day, deadline] = watch(["specialServeDate", "preorderExpiresAt"]);
  const choices = deadlineChoices(day, timeZone, now);
  const [isOther, setOther] = useState(
    () => locked === undefined && !choices.some(({ value }) => value === deadline),
  );

  function choose(value: string) {
    setOther(false);
    setValue("preorderExpiresAt", value, { shouldDirty: true });
    form.clearErrors(["preorderExpiresAt", "specialServeDate"]);
  }

  /** Another day also moves a deadline that was chosen in words; a typed one stays. */
  function follow(serveDay: string) {
    if (isOther || !serveDay) return;
    const note = choices.find(({ value }) => value === deadline)?.note;
    const alike = deadlineChoices(serveDay, timeZone, now).filter((each) => each.note === note);
    const same = alike.find(({ value }) => value.slice(10) === deadline.slice(10)) ?? alike[0];
    choose(same?.value ?? defaultDeadline(serveDay, timeZone, now));
  }

  const served = register("specialServeDate");
  const showsTime = isOther || choices.length === 0;
  const hint = deadlineHint(deadline, timeZone);
  if (locked) {
    return (
      <div className="stack rhythm-1.5">
        <p className="small font-semibold">Served {formatDay(day)}</p>
        <p>{hint}</p>
        <p className="hint">{locked}</p>
      </div>
    );
  }
  return (
    <>
      <DateInput
        label="Serve date"
        error={errors.specialServeDate?.message}
        {...served}
        onChange={(event) => {
          follow(event.target.value);
          return served.onChange(event);
        }}
      />
      <fieldset className="field" aria-describedby="deadline-hint">
        <legend className="label">Orders close</legend>
        <div className="deadlines">
          {choices.map((choice) => (
            <Chip
              key={choice.value}
              {...choice}
              checked={!isOther && choice.value === deadline}
              onChoose={() => choose(choice.value)}
            />
          ))}
          <Chip
            value="other"
            label="Another time"
            note="choose it"
            checked={showsTime}
            onChoose={() => setOther(true)}
          />
        </div>
        {choices.length === 0 && day === todayIn(timeZone, now) && (
          <p className="hint">It's late for a special today. Choose tomorrow, or set a time.</p>
        )}
        {showsTime && (
          <DateTimeInput
            label="Pre-order deadline"
            hint="On your restaurant's clock, at most 7 days ahead."
            error={errors.preorderExpiresAt?.message}
            {...register("preorderExpiresAt")}
          />
        )}
        {!showsTime && errors.preorderExpiresAt?.message && (
          <p className="error" role="alert">
            {errors.preorderExpiresAt.message}
          </p>
        )}
        <p className="hint" id="deadline-hint">
          {hint}
        </p>
      </fieldset>
    </>
  );
}

interface ChipProps extends DeadlineChoice {
  checked: boolean;
  onChoose: () => void;
}

function Chip({ value, label, note, checked, onChoose }: ChipProps) {
  return (
    <label className="chip deadline">
      <input type="radio" name="deadline" value={value} checked={checked} onChange={onChoose} />
      <span>
        {label}
        <span className="deadline-note">{note}</span>
      </span>
    </label>
  );
}

/** What the deadline means for guests, with its day and zone written out. */
function deadlineHint(deadline: string, timeZone: string): string {
  const moment = zonedMoment(deadline, timeZone);
  if (Number.isNaN(moment.getTime())) return "Until then guests can order, and no one is charged.";
  return `Guests can order until ${formatMoment(moment.toISOString(), timeZone)}. No one is charged before that.`;
}
