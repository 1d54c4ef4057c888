import { useId } from "react";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import type { ChoiceProps } from "./cart-item-card";
import { DishMarks } from "./dish-marks";

/**
 * What happens to the order if the minimum is missed (DECISIONS X18), as in a special's form: what is
 * in the alternative shows once it is chosen.
 */
export function Otherwise({ offer, item, onChange }: ChoiceProps) {
  const name = useId();
  const marks = useId();
  const { alternative, minPreordersRequired: minimum, portionsMissing } = offer;
  if (!alternative) return null;
  const legend =
    portionsMissing > 0
      ? ngettext(
          "If fewer than %s portion is ordered",
          "If fewer than %s portions are ordered",
          minimum,
        )
      : ngettext(
          "If cancellations leave fewer than %s portion",
          "If cancellations leave fewer than %s portions",
          minimum,
        );
  return (
    <fieldset className="cart-otherwise">
      <legend className="font-semibold">{interpolate(legend, [minimum])}</legend>
      <label className="check">
        <input
          type="radio"
          name={name}
          checked={!item.alternative}
          onChange={() => onChange({ alternative: undefined })}
        />
        <span>{gettext("Cancel my order, and I pay nothing")}</span>
      </label>
      <label className="check">
        <input
          type="radio"
          name={name}
          checked={item.alternative === true}
          aria-describedby={marks}
          onChange={() => onChange({ alternative: true })}
        />
        <span>
          {interpolate(
            alternative.isMenuPrice
              ? gettext("Make me %(dish)s instead, at %(price)s a portion, its menu price")
              : gettext("Make me %(dish)s instead, at %(price)s a portion"),
            {
              dish: alternative.name,
              price: formatDecimal(alternative.price),
            },
            true,
          )}
        </span>
      </label>
      <div id={marks} className="pl-8" hidden={!item.alternative}>
        <DishMarks dish={alternative} lost={alternative.lostDiets} />
      </div>
    </fieldset>
  );
}
