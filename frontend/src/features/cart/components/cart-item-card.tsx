import { Check, Leaf, Minus, NotebookPen, Plus, Trash2, TriangleAlert } from "lucide-react";
import { useId, useState } from "react";
import type { CartOffer } from "@/api/types";
import type { CartItem, ServiceChoice } from "@/lib/cart-store";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { mentions } from "@/lib/mentions";
import { formatCents, formatDecimal } from "@/lib/money";
import { Button } from "@/ui/button";
import { Select, TextArea } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { joined, refusalOf, type ShownItem, validateItem } from "../lib/cart-items";
import { Thumbnail } from "./thumbnail";

const LONGEST_NOTE = 500;

interface CartItemCardProps {
  shown: ShownItem;
  /** Show what is missing, after the first attempt to continue. */
  strict: boolean;
  /** The only special: what happens to the card can be said here. */
  alone: boolean;
  onQuantity: (quantity: number) => void;
  onChange: (changed: Partial<CartItem>) => void;
}

/** One special in the cart: how many, when, and what the kitchen and the deadline should know. */
export function CartItemCard({ shown, strict, alone, onQuantity, onChange }: CartItemCardProps) {
  const { item, offer, formerCents } = shown;
  const refusal = refusalOf(shown);
  const errors = validateItem(shown);
  const id = useId();
  const remove = (
    <Button size="small" variant="quiet" className="-mr-3" onClick={() => onQuantity(0)}>
      <Trash2 size={16} strokeWidth={1.5} aria-hidden="true" />
      {gettext("Remove")}
      <span className="visually-hidden"> {item.name}</span>
    </Button>
  );
  if (!offer || refusal) {
    return (
      <li className="cart-item" aria-labelledby={id}>
        <div className="flex items-baseline justify-between gap-4">
          <h3 id={id} className="muted min-w-0">
            {item.name}
          </h3>
          {remove}
        </div>
        <Notice tone="honey">
          <p>{refusal}</p>
        </Notice>
      </li>
    );
  }
  return (
    <li className="cart-item" aria-labelledby={id}>
      <div className="flex gap-3">
        <Thumbnail url={offer.imageUrl} />
        <div className="min-w-0 grow">
          <div className="flex items-baseline justify-between gap-4">
            <h3 id={id} className="min-w-0">
              {item.name}
            </h3>
            <p className="font-semibold tabular-nums">
              {formatCents(item.unitCents * item.quantity)}
            </p>
          </div>
          <p className="small muted">
            {joined(offer.served)}
            <br />
            <strong>{offer.seatsSentence}</strong>
            {item.quantity > 1 && (
              <>
                <br />
                {interpolate(gettext("%s a portion"), [formatCents(item.unitCents)])}
              </>
            )}
          </p>
        </div>
      </div>
      <DishMarks offer={offer} />
      {formerCents !== null && (
        <Notice tone="honey">
          <p>
            {interpolate(
              gettext("Price has changed: it was %(before)s and is now %(now)s."),
              {
                before: formatCents(formerCents),
                now: formatCents(item.unitCents),
              },
              true,
            )}
          </p>
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Portions offer={offer} item={item} onQuantity={onQuantity} />
        {remove}
      </div>
      {errors.quantity && (
        <p className="error" role="alert">
          {errors.quantity}
        </p>
      )}
      <Service offer={offer} item={item} onChange={onChange} />
      {offer.slots.length > 0 && (
        <Select
          label={interpolate(
            offer.serviceMode === "pickup" ? gettext("Pickup time on %s") : gettext("Time on %s"),
            [offer.served.split(" · ")[0] ?? ""],
          )}
          value={item.slotId ?? ""}
          error={strict ? errors.slot : undefined}
          onChange={(event) => onChange({ slotId: Number(event.target.value) || undefined })}
        >
          {!item.slotId && <option value="">{gettext("Choose a time")}</option>}
          {offer.slots.map((slot) => (
            <option key={slot.id} value={slot.id} disabled={slot.left === 0}>
              {slot.label}
              {slot.left === 0 && ` (${gettext("full")})`}
              {!!slot.left && slot.left <= 5 && ` (${portionsLeft(slot.left)})`}
            </option>
          ))}
        </Select>
      )}
      <Otherwise offer={offer} item={item} onChange={onChange} />
      <Note offer={offer} item={item} onChange={onChange} />
      {alone && <p className="small muted">{offer.cardTerms}</p>}
    </li>
  );
}

/** Diets and allergens, each with icon and word. */
function DishMarks({ offer }: { offer: CartOffer }) {
  if (offer.diets.length === 0 && !offer.contains) return null;
  return (
    <ul className="small flex list-none flex-wrap gap-x-4 gap-y-1 p-0">
      {offer.diets.map(({ name, isPlants }) => {
        const Mark = isPlants ? Leaf : Check;
        return (
          <li key={name} className="inline-flex items-start gap-1.5">
            <Mark
              size={16}
              strokeWidth={1.5}
              aria-hidden="true"
              className="mt-0.5 shrink-0 text-herb"
            />
            {name}
          </li>
        );
      })}
      {offer.contains && (
        <li className="inline-flex items-start gap-1.5">
          <TriangleAlert
            size={16}
            strokeWidth={1.5}
            aria-hidden="true"
            className="mt-0.5 shrink-0 text-honey"
          />
          {interpolate(gettext("Contains: %s"), [offer.contains])}
        </li>
      )}
    </ul>
  );
}

const portionsLeft = (left: number) =>
  interpolate(ngettext("%s portion left", "%s portions left", left), [left]);

interface PortionsProps {
  offer: CartOffer;
  item: CartItem;
  onQuantity: (quantity: number) => void;
}

function Portions({ offer, item, onQuantity }: PortionsProps) {
  const { quantity } = item;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a stepper of two buttons
    <div
      role="group"
      aria-label={interpolate(gettext("Portions of %s"), [item.name])}
      className="stepper items-center"
    >
      <Button
        aria-label={quantity > 1 ? gettext("One portion fewer") : gettext("Remove from the cart")}
        onClick={() => onQuantity(quantity - 1)}
      >
        <Minus size={18} strokeWidth={1.5} aria-hidden="true" />
      </Button>
      <output className="min-w-8 text-center font-semibold tabular-nums" aria-live="polite">
        {quantity}
      </output>
      <Button
        aria-label={gettext("One portion more")}
        disabled={quantity >= offer.perOrderLimit}
        onClick={() => onQuantity(quantity + 1)}
      >
        <Plus size={18} strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </div>
  );
}

interface ChoiceProps {
  offer: CartOffer;
  item: CartItem;
  onChange: (changed: Partial<CartItem>) => void;
}

/** How the guest wants a special that is served both ways. */
function Service({ offer, item, onChange }: ChoiceProps) {
  const name = useId();
  if (offer.serviceMode !== "both") return null;
  const chips: [ServiceChoice, string][] = [
    ["dine_in", gettext("Dine in")],
    ["pickup", gettext("Pickup")],
  ];
  return (
    <fieldset className="field">
      <legend className="visually-hidden">
        {gettext("Dine in or pickup")} {item.name}
      </legend>
      <div className="grid grid-cols-2 gap-2">
        {chips.map(([mode, label]) => (
          <label key={mode} className="chip min-h-11 justify-center">
            <input
              type="radio"
              name={name}
              checked={item.serviceMode === mode}
              onChange={() => onChange({ serviceMode: mode })}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What happens to the order if the minimum is missed (DECISIONS X18). */
function Otherwise({ offer, item, onChange }: ChoiceProps) {
  const name = useId();
  if (!offer.alternative) return null;
  const minimum = offer.minPreordersRequired;
  return (
    <fieldset className="field">
      <legend className="label small font-semibold">
        {interpolate(
          ngettext(
            "If fewer than %s portion is ordered",
            "If fewer than %s portions are ordered",
            minimum,
          ),
          [minimum],
        )}
      </legend>
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
          onChange={() => onChange({ alternative: true })}
        />
        <span>
          {interpolate(
            offer.alternative.isMenuPrice
              ? gettext("Make me %(dish)s instead, at %(price)s a portion, its menu price")
              : gettext("Make me %(dish)s instead, at %(price)s a portion"),
            {
              dish: offer.alternative.name,
              price: formatDecimal(offer.alternative.price),
            },
            true,
          )}
        </span>
      </label>
    </fieldset>
  );
}

function Note({ offer, item, onChange }: ChoiceProps) {
  const [open, setOpen] = useState(item.note !== undefined);
  if (!open) {
    return (
      <Button
        size="small"
        variant="quiet"
        className="-ml-3 self-start"
        onClick={() => setOpen(true)}
      >
        <NotebookPen size={16} strokeWidth={1.5} aria-hidden="true" />
        {gettext("Add a note to the kitchen")}
        <span className="visually-hidden"> {item.name}</span>
      </Button>
    );
  }
  const named = offer.noteWarnings.filter(({ words }) => mentions(item.note ?? "", words));
  return (
    <>
      <TextArea
        label={gettext("Allergies or requests")}
        optional
        rows={2}
        maxLength={LONGEST_NOTE}
        value={item.note ?? ""}
        onChange={(event) => onChange({ note: event.target.value || undefined })}
      />
      <div role="status">
        {named.map(({ allergen }) => (
          <Notice key={allergen} tone="honey">
            <p>
              {interpolate(
                gettext("This dish contains %s. Ask before you order if it can be left out."),
                [allergen],
              )}
            </p>
          </Notice>
        ))}
      </div>
    </>
  );
}
