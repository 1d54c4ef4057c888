import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { formatCents, parseCents, savings } from "@/lib/money";
import { deviceZone, formatMoment, zoneName } from "@/lib/times";
import { Button } from "@/ui/button";
import { ImageField } from "@/ui/image-field";
import { DateInput, DateTimeInput, MoneyInput, NumberInput, TextInput } from "@/ui/inputs";
import { datesIn, type OfferFormValues } from "../lib/offer-schema";
import type { DishChoice } from "../types";
import { OfferOptions } from "./offer-options";

/** Deadlines one tap away: in so many days. */
const PRESETS = [
  { days: 1, label: "24 hours" },
  { days: 3, label: "3 days" },
  { days: 7, label: "7 days" },
];

interface OfferFieldsProps {
  form: UseFormReturn<OfferFormValues>;
  dishes: DishChoice[];
  timeZone: string;
  upload: (file: File, onProgress: (share: number) => void) => Promise<string>;
  onUploading: (busy: boolean) => void;
  onPicturePreview: (url: string | null) => void;
  /** Without a photo the form is the shorter one of Quick Start. */
  withPhoto?: boolean;
  /** Stands under the terms: advice about them. */
  children?: ReactNode;
}

/** What a guest saves, said while the prices are typed. */
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
  withPhoto = true,
  children,
}: OfferFieldsProps) {
  const {
    register,
    setValue,
    watch,
    formState: { errors },
  } = form;
  const [price, special, deadline, imageUrl] = watch([
    "price",
    "specialOfferPrice",
    "preorderExpiresAt",
    "imageUrl",
  ]);

  function decideIn(days: number) {
    const dates = datesIn(days, timeZone);
    setValue("preorderExpiresAt", dates.preorderExpiresAt, { shouldDirty: true });
    setValue("specialServeDate", dates.specialServeDate, { shouldDirty: true });
    form.clearErrors(["preorderExpiresAt", "specialServeDate"]);
  }

  return (
    <div className="stack rhythm-5">
      <TextInput
        label="Name"
        autoComplete="off"
        data-autofocus
        maxLength={200}
        placeholder="Braised lamb shank"
        error={errors.name?.message}
        {...register("name")}
      />
      <div className="field-row field-pair">
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
      {withPhoto && (
        <ImageField
          label="Photo"
          url={imageUrl}
          error={errors.imageUrl?.message}
          upload={upload}
          onBusyChange={onUploading}
          onPreview={onPicturePreview}
          onChange={(url) => setValue("imageUrl", url, { shouldDirty: true })}
        />
      )}
      <NumberInput
        label="Minimum pre-orders"
        placeholder="3"
        min={1}
        hint="You cook if this many are ordered. Fewer, and no one is charged"
        error={errors.minPreordersRequired?.message}
        {...register("minPreordersRequired")}
      />
      <div className="stack rhythm-2.5">
        <div className="field-row">
          <DateTimeInput
            label="Pre-order deadline"
            hint={deadlineHint(deadline, timeZone)}
            error={errors.preorderExpiresAt?.message}
            {...register("preorderExpiresAt")}
          />
          <DateInput
            label="Serve date"
            hint="The day it's served"
            error={errors.specialServeDate?.message}
            {...register("specialServeDate")}
          />
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: shortcuts for the two fields above, not fields */}
        <div role="group" aria-label="Close in" className="cluster">
          <span className="small muted" aria-hidden="true">
            Close in
          </span>
          {PRESETS.map(({ days, label }) => (
            <Button key={days} size="small" onClick={() => decideIn(days)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      {children}
      <OfferOptions form={form} dishes={dishes} />
    </div>
  );
}
