import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { formatCents, parseCents, savings } from "@/lib/money";
import { ImageField } from "@/ui/image-field";
import { MoneyInput, NumberInput, TextArea, TextInput } from "@/ui/inputs";
import { SpanishFields } from "@/ui/spanish-fields";
import type { OfferFormValues } from "../lib/offer-schema";
import type { DishChoice } from "../types";
import { MorePhotos } from "./more-photos";
import { OfferOptions } from "./offer-options";
import { ServingFields } from "./serving-fields";
import { WhenFields } from "./when-fields";

/** What guests who ordered rely on: each sentence says why a field is fixed or goes one way only. */
const FIXED = {
  when: "Guests have ordered for this day and deadline, so both are fixed.",
  price: "Guests have ordered at this price: you can lower it, not raise it.",
  minimum: "Guests have ordered with this minimum: you can lower it, not raise it.",
  alternative: "Guests have ordered with this alternative, so it's fixed.",
};

const SPANISH = ["spanishName", "spanishDescription", "spanishStory"] as const;

interface OfferFieldsProps {
  form: UseFormReturn<OfferFormValues>;
  dishes: DishChoice[];
  timeZone: string;
  upload: (file: File, onProgress: (share: number) => void) => Promise<string>;
  onUploading: (busy: boolean) => void;
  onPicturePreview: (url: string | null) => void;
  /** Whether guests have ordered: then the fields that they rely on are fixed, and say so. */
  hasOrders?: boolean;
  /** Shown below the terms: advice about them. */
  children?: ReactNode;
}

/** What a guest saves, shown while the prices are typed. */
function savingHint(regular: string, special: string): string | undefined {
  const from = parseCents(regular);
  const to = parseCents(special);
  if (!from || !to || to >= from) return undefined;
  const { cents, percent } = savings(from, to);
  return `Save ${formatCents(cents)} (${percent}%)`;
}

/** The fields of an offer: the dish, what it costs, when, and how many make it worth cooking. */
export function OfferFields({
  form,
  dishes,
  timeZone,
  upload,
  onUploading,
  onPicturePreview,
  hasOrders = false,
  children,
}: OfferFieldsProps) {
  const {
    register,
    setValue,
    watch,
    formState: { errors },
  } = form;
  const [price, special, imageUrl, moreImageUrls] = watch([
    "price",
    "specialOfferPrice",
    "imageUrl",
    "moreImageUrls",
  ]);

  const hasSpanish = SPANISH.some((name) => form.formState.defaultValues?.[name]);

  return (
    <div className="stack rhythm-5">
      <ImageField
        label="Photo"
        url={imageUrl}
        error={errors.imageUrl?.message}
        upload={upload}
        onBusyChange={onUploading}
        onPreview={onPicturePreview}
        onChange={(url) => setValue("imageUrl", url, { shouldDirty: true })}
      />
      {imageUrl && (
        <MorePhotos
          urls={moreImageUrls}
          error={errors.moreImageUrls?.message}
          upload={upload}
          onUploading={onUploading}
          onChange={(urls) => setValue("moreImageUrls", urls, { shouldDirty: true })}
        />
      )}
      <TextInput
        label="Name"
        autoComplete="off"
        data-autofocus
        maxLength={80}
        placeholder="Braised lamb shank"
        error={errors.name?.message}
        {...register("name")}
      />
      <TextArea
        label="Description"
        optional
        rows={2}
        maxLength={2000}
        placeholder="What's on the plate and what comes with it"
        error={errors.description?.message}
        {...register("description")}
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
          hint={hasOrders ? FIXED.price : savingHint(price, special)}
          error={errors.specialOfferPrice?.message}
          {...register("specialOfferPrice")}
        />
      </div>
      <WhenFields form={form} timeZone={timeZone} locked={hasOrders ? FIXED.when : undefined} />
      <ServingFields form={form} />
      <NumberInput
        label="Minimum pre-orders"
        placeholder="3"
        min={1}
        hint={
          hasOrders
            ? FIXED.minimum
            : "You cook if this many are ordered. Fewer, and no one is charged"
        }
        error={errors.minPreordersRequired?.message}
        {...register("minPreordersRequired")}
      />
      {children}
      <SpanishFields
        name={register("spanishName")}
        description={register("spanishDescription")}
        isUsed={hasSpanish}
        maxName={80}
      >
        <TextArea
          label="Your words about it in Spanish"
          optional
          rows={2}
          maxLength={1000}
          lang="es"
          {...register("spanishStory")}
        />
      </SpanishFields>
      <OfferOptions
        form={form}
        dishes={dishes}
        lockedAlternative={hasOrders ? FIXED.alternative : undefined}
      />
    </div>
  );
}
