import { useId } from "react";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatDecimal } from "@/lib/money";
import type { ChoiceProps } from "./cart-item-card";
import { DishMarks } from "./dish-marks";

/**
 * What happens to the order if the minimum is missed (DECISIONS X18): nothing is paid, unless the guest
 * wants the alternative. What is in it shows once it is chosen.
 */
export function Otherwise({ offer, item, onChange }: ChoiceProps) {
  const marks = useId();
  const { alternative, minPreordersRequired: minimum } = offer;
  if (!alternative) return null;
  return (
    <fieldset className="cart-otherwise">
      <legend>
        {interpolate(
          ngettext(
            "If fewer than %s portion is ordered, you pay nothing, or:",
            "If fewer than %s portions are ordered, you pay nothing, or:",
            minimum,
          ),
          [minimum],
        )}
      </legend>
      <label className="check">
        <input
          type="checkbox"
          checked={item.alternative === true}
          aria-describedby={marks}
          onChange={({ target }) => onChange({ alternative: target.checked || undefined })}
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
