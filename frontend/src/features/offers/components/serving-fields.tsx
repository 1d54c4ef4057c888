import type { UseFormReturn } from "react-hook-form";
import { Select, TimeInput } from "@/ui/inputs";
import type { OfferFormValues } from "../lib/offer-schema";

/** How it's eaten, and from when until when on the restaurant's clock. */
export function ServingFields({ form }: { form: UseFormReturn<OfferFormValues> }) {
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <div className="stack rhythm-2.5">
      <Select
        label="How it's eaten"
        error={errors.serviceMode?.message}
        {...register("serviceMode")}
      >
        <option value="both">Dine in or pickup</option>
        <option value="dine_in">Dine in</option>
        <option value="pickup">Pickup</option>
      </Select>
      <div className="field-row field-pair">
        <TimeInput
          label="Served from"
          optional
          hint="Restaurant time"
          error={errors.serveFrom?.message}
          {...register("serveFrom")}
        />
        <TimeInput
          label="Served until"
          optional
          error={errors.serveUntil?.message}
          {...register("serveUntil")}
        />
      </div>
    </div>
  );
}
