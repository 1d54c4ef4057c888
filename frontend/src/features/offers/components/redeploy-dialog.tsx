import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import type { Dish, HistoryEntry, Special } from "@/api/types";
import { uploadImage } from "@/lib/upload-image";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { showSuccess } from "@/ui/toaster";
import { useDishes } from "../api/list-dishes";
import { REFUSED, useOfferForm } from "../hooks/use-offer-form";
import { usePublishing } from "../hooks/use-publishing";
import { createOfferSchema } from "../lib/offer-schema";
import { redeployValues } from "../lib/redeploy-values";
import { CreatedOffer } from "./created-offer";
import { FormProblem } from "./form-problem";
import { OfferFields } from "./offer-fields";
import { OfferFormActions } from "./offer-form-actions";

interface RedeployDialogProps {
  /** The past special that the form is filled with. */
  entry: HistoryEntry;
  dishes: Dish[] | undefined;
  timeZone: string;
  /** The platform fee that the special will carry; empty if it carries none. */
  feeNote?: string;
  /** How the restaurant gets paid; shown if guests can't order the new special yet. */
  connect?: ReactNode;
  onClose: () => void;
  /** It was published, and its link was shown. */
  onCreated: (offer: Special) => void;
}

/** The form of a special, filled with a past one; sending it publishes a new special. */
export function RedeployDialog({
  entry,
  dishes: initialDishes,
  timeZone,
  feeNote = "",
  connect,
  onClose,
  onCreated,
}: RedeployDialogProps) {
  const dishes = useDishes(initialDishes).data?.dishes ?? [];
  const isOnMenu = (id: string) => dishes.some((dish) => dish.id === id);
  const { form, submit, problem } = useOfferForm({
    schema: useMemo(() => createOfferSchema(timeZone), [timeZone]),
    values: redeployValues(entry, { timeZone, isOnMenu }),
    refused: REFUSED,
  });
  const publishing = usePublishing(timeZone);
  const [uploading, setUploading] = useState(false);
  const [created, setCreated] = useState<Special | null>(null);
  const lost = entry.hasAlternative && !isOnMenu(entry.alternativeDishId ?? "");

  function publish(event: FormEvent) {
    event.preventDefault();
    void submit(async (values) => {
      const offer = await publishing.publish(values);
      setCreated(offer);
      if (offer.preordersOpen) {
        showSuccess("Special offer added successfully", "Your new special offer is now live.");
      }
    });
  }

  if (created) {
    return (
      <CreatedOffer
        offer={created}
        timeZone={timeZone}
        connect={connect}
        onClose={() => onCreated(created)}
      />
    );
  }
  const { busy } = publishing;
  return (
    <Dialog
      open
      locked={busy}
      problem={problem && <FormProblem problem={problem} button="Publish offer" isSaved={false} />}
      onClose={onClose}
      title="Re-deploy special offer"
      description="Publish the same special again. It has the same weekday and hours as last time, on the next possible date."
      footer={
        <OfferFormActions
          form="redeploy-offer"
          send="Publish offer"
          sending="Publishing…"
          busy={busy}
          uploading={uploading}
          onCancel={onClose}
        />
      }
    >
      <form id="redeploy-offer" noValidate className="stack rhythm-5" onSubmit={publish}>
        {lost && (
          <Notice tone="honey">
            <p>
              {entry.alternativeDishName ?? "The alternative,"} is no longer on your menu. Choose
              another one or turn the alternative off.
            </p>
          </Notice>
        )}
        {feeNote && (
          <Notice tone="honey">
            <p>{feeNote}</p>
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
