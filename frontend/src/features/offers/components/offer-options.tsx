import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { allergens, diets } from "@/lib/diets";
import { formatDecimal } from "@/lib/money";
import { Checkbox, NumberInput, Select, TextArea } from "@/ui/inputs";
import { MarkChoice } from "@/ui/mark-choice";
import type { OfferField, OfferFormValues } from "../lib/offer-schema";
import type { DishChoice } from "../types";

const FIELDS: OfferField[] = [
  "story",
  "maxPreorders",
  "maxPerOrder",
  "friendHours",
  "allergens",
  "dietary",
  "hasAlternative",
  "alternativeDishId",
];

interface OfferOptionsProps {
  form: UseFormReturn<OfferFormValues>;
  dishes: DishChoice[];
  /** Why the alternative can't change anymore, and isn't asked for; without it, it can. */
  lockedAlternative?: string;
}

/** Whether any option was filled in. */
function isUsed(values: OfferFormValues): boolean {
  return (
    values.story.trim() !== "" ||
    values.maxPreorders.trim() !== "" ||
    values.allergens.length > 0 ||
    values.dietary.length > 0 ||
    values.hasAlternative
  );
}

/**
 * Options with a sensible default: closed until somebody opens them, one is used, or one has an
 * error.
 */
export function OfferOptions({ form, dishes, lockedAlternative }: OfferOptionsProps) {
  const {
    register,
    getValues,
    formState: { errors, submitCount },
  } = form;
  const [open, setOpen] = useState(() => isUsed(getValues()));
  const hasError = FIELDS.some((name) => errors[name]);

  // Opens a section that has an error, which nobody would see otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens it again
  useEffect(() => {
    if (hasError) setOpen(true);
  }, [hasError, submitCount]);

  return (
    <details
      className="fold fold-framed"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span>
          More options
          <span className="small muted block font-normal">Limits, allergens, an alternative</span>
        </span>
      </summary>
      <div className="stack rhythm-5">
        <TextArea
          label="Your words about it"
          optional
          rows={2}
          maxLength={1000}
          placeholder="My grandmother made this on the first cold Sunday of the year."
          hint="Guests read them on the special's page, as a quote from you"
          error={errors.story?.message}
          {...register("story")}
        />
        <div className="field-row">
          <NumberInput
            label="Sold out at"
            optional
            placeholder="No limit"
            min={1}
            hint="The most portions you'll make"
            error={errors.maxPreorders?.message}
            {...register("maxPreorders")}
          />
          <NumberInput
            label="Limit per order"
            min={1}
            max={50}
            hint="The most portions one guest can order"
            error={errors.maxPerOrder?.message}
            {...register("maxPerOrder")}
          />
        </div>
        <NumberInput
          label="Hours for friends"
          min={0}
          max={72}
          hint="How long a guest can reserve portions for friends, who pay for their own; 0 turns it off"
          error={errors.friendHours?.message}
          {...register("friendHours")}
        />
        <MarkChoice
          label="Allergens"
          hint="Everything the dish contains"
          choices={allergens}
          field={register("allergens")}
          error={errors.allergens?.message}
        />
        <MarkChoice
          label="Dietary tags"
          hint="Only if true of the whole dish"
          choices={diets}
          field={register("dietary")}
          error={errors.dietary?.message}
        />
        {lockedAlternative ? (
          <p className="hint">{lockedAlternative}</p>
        ) : (
          <Alternative form={form} dishes={dishes} />
        )}
      </div>
    </details>
  );
}

/** The dish that is served when the minimum is missed. */
function Alternative({ form, dishes }: Pick<OfferOptionsProps, "form" | "dishes">) {
  const {
    register,
    watch,
    formState: { errors },
  } = form;
  const hasAlternative = watch("hasAlternative");
  return (
    <div className="stack rhythm-2">
      <Checkbox
        label="Serve another dish if the minimum is not reached"
        {...register("hasAlternative")}
      />
      {hasAlternative && dishes.length === 0 && (
        <p className="hint">
          No regular menu dishes to choose from yet. Uncheck this option, or{" "}
          <a href="/restaurant/menu">add a dish to your menu</a> first.
        </p>
      )}
      {hasAlternative && (
        <Select
          label="Alternative dish"
          error={errors.alternativeDishId?.message}
          {...register("alternativeDishId")}
        >
          <option value="">Choose a dish</option>
          {dishes.map((dish) => (
            <option key={dish.id} value={dish.id}>
              {dish.name} ({formatDecimal(dish.price)})
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}
