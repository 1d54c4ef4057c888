import type { UseFormReturn } from "react-hook-form";
import type { Dish } from "@/api/types";
import { formatCents, formatDecimal, parseCents, savings } from "@/lib/money";
import { deviceZone, formatMoment, zoneName } from "@/lib/times";
import { ImageField } from "@/ui/image-field";
import {
  Checkbox,
  DateInput,
  DateTimeInput,
  MoneyInput,
  NumberInput,
  Select,
  TextArea,
  TextInput,
} from "@/ui/inputs";
import type { OfferFormValues } from "../lib/offer-schema";

/** A dish as far as choosing it needs. */
export type DishChoice = Pick<Dish, "id" | "name" | "price">;

interface OfferFieldsProps {
  form: UseFormReturn<OfferFormValues>;
  dishes: DishChoice[];
  timeZone: string;
  upload: (file: File, onProgress: (share: number) => void) => Promise<string>;
  onUploading: (busy: boolean) => void;
  onPicturePreview: (url: string | null) => void;
}

/** What a diner saves, said while the prices are typed. */
function savingHint(regular: string, special: string): string | undefined {
  const from = parseCents(regular);
  const to = parseCents(special);
  if (!from || !to || to >= from) return undefined;
  const { cents, percent } = savings(from, to);
  return `Save ${formatCents(cents)} (${percent}%)`;
}

/** The deadline's zone, and the restaurant's clock when this device's is another. */
function deadlineHint(value: string, timeZone: string): string {
  const moment = new Date(value);
  const device = deviceZone();
  if (Number.isNaN(moment.getTime())) return `Your time (${zoneName(device, new Date())})`;
  const own = `Your time (${zoneName(device, moment)}), at most 7 days ahead.`;
  if (zoneName(device, moment) === zoneName(timeZone, moment)) return own;
  return `${own} At the restaurant: ${formatMoment(moment.toISOString(), timeZone)}.`;
}

/** The fields of an offer, in the order in which a cook thinks of them. */
export function OfferFields({
  form,
  dishes,
  timeZone,
  upload,
  onUploading,
  onPicturePreview,
}: OfferFieldsProps) {
  const {
    register,
    setValue,
    watch,
    formState: { errors },
  } = form;
  const [price, special, deadline, hasAlternative, imageUrl] = watch([
    "price",
    "specialOfferPrice",
    "preorderExpiresAt",
    "hasAlternative",
    "imageUrl",
  ]);
  return (
    <div className="stack [--gap:1.25rem]">
      <ImageField
        label="Photo"
        url={imageUrl}
        error={errors.imageUrl?.message}
        upload={upload}
        onBusyChange={onUploading}
        onPreview={onPicturePreview}
        onChange={(url) => setValue("imageUrl", url, { shouldDirty: true })}
      />
      <TextInput
        label="Name"
        autoComplete="off"
        data-autofocus
        maxLength={200}
        placeholder="Braised lamb shank"
        error={errors.name?.message}
        {...register("name")}
      />
      <TextArea
        label="Description"
        optional
        rows={3}
        maxLength={2000}
        placeholder="What is on the plate, and what comes with it"
        error={errors.description?.message}
        {...register("description")}
      />
      <div className="field-row">
        <MoneyInput
          label="Regular price"
          placeholder="24.00"
          error={errors.price?.message}
          {...register("price")}
        />
        <MoneyInput
          label="Special price"
          placeholder="18.00"
          hint={savingHint(price, special)}
          error={errors.specialOfferPrice?.message}
          {...register("specialOfferPrice")}
        />
      </div>
      <div className="field-row">
        <NumberInput
          label="Minimum pre-orders"
          placeholder="3"
          min={1}
          hint="Portions needed for it to go ahead"
          error={errors.minPreordersRequired?.message}
          {...register("minPreordersRequired")}
        />
        <NumberInput
          label="Maximum"
          optional
          placeholder="No limit"
          min={1}
          hint="Stops at this many portions"
          error={errors.maxPreorders?.message}
          {...register("maxPreorders")}
        />
        <NumberInput
          label="Most per order"
          min={1}
          max={50}
          hint="Portions one diner can book"
          error={errors.maxPerOrder?.message}
          {...register("maxPerOrder")}
        />
      </div>
      <div className="field-row">
        <DateTimeInput
          label="Pre-order deadline"
          hint={deadlineHint(deadline, timeZone)}
          error={errors.preorderExpiresAt?.message}
          {...register("preorderExpiresAt")}
        />
        <DateInput
          label="Serve date"
          hint="The day diners pick it up or sit down"
          error={errors.specialServeDate?.message}
          {...register("specialServeDate")}
        />
      </div>
      <div className="stack [--gap:0.5rem]">
        <Checkbox
          label="Serve another dish if the minimum is not reached"
          {...register("hasAlternative")}
        />
        {hasAlternative && (
          <Select
            label="Alternative dish"
            hint={dishes.length === 0 ? "Your regular menu has no dishes yet." : undefined}
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
    </div>
  );
}
