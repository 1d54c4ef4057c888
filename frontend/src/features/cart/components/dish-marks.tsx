import { Check, Leaf, TriangleAlert, X } from "lucide-react";
import type { CartOffer } from "@/api/types";
import { gettext, interpolate } from "@/lib/i18n";

interface DishMarksProps {
  dish: Pick<CartOffer, "diets" | "contains">;
  /** Diets that the dish served instead of another doesn't suit, although that one does. */
  lost?: string[];
}

/** Diets and allergens, each with icon and word; without allergens, that none are listed. */
export function DishMarks({ dish, lost = [] }: DishMarksProps) {
  const { diets, contains } = dish;
  const look = { size: "0.9375rem", strokeWidth: 1.5, "aria-hidden": true } as const;
  return (
    <ul className="cart-marks">
      {diets.map(({ name, isPlants }) => {
        const Mark = isPlants ? Leaf : Check;
        return (
          <li key={name} className="inline-flex items-start gap-1">
            <Mark {...look} className="mt-0.5 shrink-0 text-herb" />
            {name}
          </li>
        );
      })}
      {lost.map((name) => (
        <li key={name} className="inline-flex items-start gap-1 font-semibold">
          <X {...look} className="mt-0.5 shrink-0 text-berry" />
          {interpolate(gettext("Not %s"), [name.toLowerCase()])}
        </li>
      ))}
      {contains ? (
        <li className="inline-flex items-start gap-1">
          <TriangleAlert {...look} className="mt-0.5 shrink-0 text-honey" />
          {interpolate(gettext("Contains: %s"), [contains])}
        </li>
      ) : (
        <li className="muted">{gettext("Allergens not listed")}</li>
      )}
    </ul>
  );
}
