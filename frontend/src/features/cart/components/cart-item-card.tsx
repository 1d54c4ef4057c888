import { Minus, NotebookPen, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { CartOffer } from "@/api/types";
import type { CartItem, ServiceChoice } from "@/lib/cart-store";
import { gettext, interpolate, ngettext } from "@/lib/i18n";
import { formatCents } from "@/lib/money";
import { orderSum } from "@/lib/order-sum";
import { sentenceWithYours } from "@/lib/with-yours";
import { Button } from "@/ui/button";
import { Select, TextArea } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { chargeInBrief } from "../lib/card-terms";
import { noteWarnings, refusalOf, type ShownItem, servedTo, validateItem } from "../lib/cart-items";
import { DishMarks } from "./dish-marks";
import { Otherwise } from "./otherwise";
import { SeatsSentence } from "./seats-sentence";
import { Served } from "./served";
import { Thumbnail } from "./thumbnail";

const LONGEST_NOTE = 500;

interface CartItemCardProps {
  shown: ShownItem;
  /** Show what is missing, after the first attempt to continue. */
  strict: boolean;
  /** Percent. */
  taxRate: string;
  /** Of several, each says when it is charged; what is said of the card says it of a single one. */
  saysWhenCharged: boolean;
  onQuantity: (quantity: number) => void;
  onChange: (changed: Partial<CartItem>) => void;
}

/** One special in the cart: how many, when, and what the kitchen and the deadline should know. */
export function CartItemCard({
  shown,
  strict,
  taxRate,
  saysWhenCharged,
  onQuantity,
  onChange,
}: CartItemCardProps) {
  const { item, offer, formerCents } = shown;
  const refusal = refusalOf(shown);
  const errors = validateItem(shown);
  const sums = orderSum(item.unitCents, taxRate, item.quantity);
  const [noteOpen, setNoteOpen] = useState(item.note !== undefined);
  const id = useId();
  if (!offer || refusal) {
    return (
      <li className="cart-item" aria-labelledby={id}>
        <div className="cart-name">
          <h3 id={id} className="muted">
            {item.name}
          </h3>
          <Button size="small" variant="quiet" className="-mr-3" onClick={() => onQuantity(0)}>
            <Trash2 size="1rem" strokeWidth={1.5} aria-hidden="true" />
            {gettext("Remove")}
            <span className="visually-hidden"> {item.name}</span>
          </Button>
        </div>
        <Notice tone="honey">
          <p>
            {refusal}
            {offer?.waitlistPath && (
              <>
                {" · "}
                <a href={offer.waitlistPath}>{gettext("Join the waitlist")}</a>
              </>
            )}
          </p>
        </Notice>
      </li>
    );
  }
  const { portionsMissing: missing } = offer;
  const time = offer.serviceMode === "pickup" ? gettext("Pickup time") : gettext("Time");
  const timeLabel = shown.isFirstTime ? `${time} (${gettext("first available")})` : time;
  const isNoteBeside = offer.serviceMode !== "both" && offer.slots.length === 0;
  const addNote = !noteOpen && (
    <Button size="small" variant="quiet" className="cart-note" onClick={() => setNoteOpen(true)}>
      <NotebookPen size="1rem" strokeWidth={1.5} aria-hidden="true" />
      {gettext("Allergies or requests")}
      <span className="visually-hidden"> {item.name}</span>
    </Button>
  );
  return (
    <li className="cart-item" aria-labelledby={id}>
      <div className="cart-dish">
        <Thumbnail url={offer.imageUrl} />
        <div>
          <div className="cart-name">
            <h3 id={id}>{item.name}</h3>
            <p className="font-semibold tabular-nums">
              {formatCents(sums.total)}
              {sums.tax > 0 && (
                <span className="muted block text-xs font-normal">{gettext("with tax")}</span>
              )}
            </p>
          </div>
          <p className="cart-facts">
            <Served text={servedTo(shown)} />
          </p>
        </div>
      </div>
      <p className="cart-facts">
        <SeatsSentence
          isShort={missing > 0}
          text={sentenceWithYours(item.quantity, missing) || offer.seatsSentence}
        />
        {saysWhenCharged && (
          <>
            {" "}
            <span className="inline-block">{chargeInBrief(item, offer, taxRate)}</span>
          </>
        )}
      </p>
      <DishMarks dish={offer} />
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
      <div className="cart-choices">
        <Portions offer={offer} item={item} onQuantity={onQuantity} />
        <Service offer={offer} item={item} onChange={onChange} />
        {isNoteBeside && addNote}
      </div>
      {errors.quantity && (
        <p className="error" role="alert">
          {errors.quantity}
        </p>
      )}
      {offer.slots.length > 0 && (
        <Select
          label={timeLabel}
          value={item.slotId ?? ""}
          error={strict ? errors.slot : undefined}
          onChange={(event) => onChange({ slotId: Number(event.target.value) || undefined })}
        >
          {!item.slotId && <option value="">{gettext("Choose a time")}</option>}
          {offer.slots.map((slot) => (
            <option key={slot.id} value={slot.id} disabled={slot.left === 0}>
              {slot.label}
              {slot.left === 0 && ` (${gettext("full")})`}
              {!!slot.left && slot.left <= 5 && ` (${timesLeft(slot.left)})`}
            </option>
          ))}
        </Select>
      )}
      <Otherwise offer={offer} item={item} onChange={onChange} />
      {noteOpen ? <Note offer={offer} item={item} onChange={onChange} /> : !isNoteBeside && addNote}
    </li>
  );
}

const timesLeft = (left: number) => interpolate(ngettext("%s left", "%s left", left), [left]);

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
      className="stepper items-center gap-0"
    >
      <Button
        aria-label={quantity > 1 ? gettext("One portion fewer") : gettext("Remove from the cart")}
        onClick={() => onQuantity(quantity - 1)}
      >
        {quantity > 1 ? (
          <Minus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
        ) : (
          <Trash2 size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
        )}
      </Button>
      <output className="min-w-8 text-center font-semibold tabular-nums" aria-live="polite">
        {quantity}
      </output>
      <Button
        aria-label={gettext("One portion more")}
        disabled={quantity >= offer.perOrderLimit}
        onClick={() => onQuantity(quantity + 1)}
      >
        <Plus size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </div>
  );
}

export interface ChoiceProps {
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
    <fieldset>
      <legend className="visually-hidden">
        {gettext("Dine in or pickup")} {item.name}
      </legend>
      <div className="flex gap-1">
        {chips.map(([mode, label]) => (
          <label key={mode} className="chip min-h-11 flex-auto justify-center px-2">
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

function Note({ offer, item, onChange }: ChoiceProps) {
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
        {noteWarnings(item, offer).map((warning) => (
          <Notice key={warning} tone="honey">
            <p>{warning}</p>
          </Notice>
        ))}
      </div>
    </>
  );
}
