import { zodResolver } from "@hookform/resolvers/zod";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { Dish, HistoryEntry, Special } from "@/api/types";
import { applyServerErrors } from "@/lib/server-errors";
import { uploadImage } from "@/lib/upload-image";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { showError, showSuccess } from "@/ui/toaster";
import { useCreateOffer } from "../api/create-offer";
import { useDishes } from "../api/list-dishes";
import { createPayload } from "../lib/offer-payload";
import { createOfferSchema, type OfferFormValues } from "../lib/offer-schema";
import { redeployValues } from "../lib/redeploy-values";
import { OfferFields } from "./offer-fields";

interface RedeployDialogProps {
  /** The past special that the form is filled with. */
  entry: HistoryEntry;
  dishes: Dish[] | undefined;
  timeZone: string;
  onClose: () => void;
  onCreated: (offer: Special) => void;
}

/** The form of a special, filled with a past one; sending it publishes a new special (R72). */
export function RedeployDialog({
  entry,
  dishes: initialDishes,
  timeZone,
  onClose,
  onCreated,
}: RedeployDialogProps) {
  const dishes = useDishes(initialDishes).data?.dishes ?? [];
  const isOnMenu = (id: string) => dishes.some((dish) => dish.id === id);
  const form = useForm<OfferFormValues>({
    resolver: useMemo(() => zodResolver(createOfferSchema(timeZone)), [timeZone]),
    defaultValues: redeployValues(entry, { timeZone, isOnMenu }),
  });
  const create = useCreateOffer();
  const [uploading, setUploading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const lost = entry.hasAlternative && !isOnMenu(entry.alternativeDishId ?? "");

  const publish = form.handleSubmit(
    async (values) => {
      setProblem(null);
      try {
        const offer = await create.mutateAsync(createPayload(values, timeZone));
        showSuccess("Special offer added successfully", "Your new special offer is now live.");
        onCreated(offer);
      } catch (failure) {
        const { sentence, inForm } = applyServerErrors(
          failure,
          values,
          form.setError,
          "Failed to create special offer",
        );
        if (inForm) setProblem(sentence);
        showError("Validation Failed", sentence);
      }
    },
    () => showError("Validation Error", "Please correct the errors in the form."),
  );

  const busy = create.isPending;
  return (
    <Dialog
      open
      locked={busy}
      problem={problem && `${problem} What you typed is still here.`}
      onClose={onClose}
      title="Re-deploy special offer"
      description="A new special like the one before. The deadline is in 7 days, served the day after."
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            form="redeploy-offer"
            busy={busy}
            disabled={busy || uploading}
          >
            {uploading ? "Uploading photo…" : busy ? "Publishing…" : "Publish offer"}
          </Button>
        </>
      }
    >
      <form id="redeploy-offer" noValidate className="stack [--gap:1.25rem]" onSubmit={publish}>
        {lost && (
          <Notice tone="honey">
            <p>
              {entry.alternativeDishName ?? "The alternative dish"} is no longer on your menu.
              Choose another alternative, or switch it off.
            </p>
          </Notice>
        )}
        <OfferFields
          form={form}
          dishes={dishes}
          timeZone={timeZone}
          upload={uploadImage}
          onUploading={setUploading}
          onPicturePreview={() => undefined}
        />
      </form>
    </Dialog>
  );
}
