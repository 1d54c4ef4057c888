import { type FormEvent, useMemo, useState } from "react";
import type { Dish, Special } from "@/api/types";
import { useEditConflict } from "@/lib/use-edit-conflict";
import { useGuestsToTell } from "@/lib/use-guests-to-tell";
import { Dialog } from "@/ui/dialog";
import { EditConflict } from "@/ui/edit-conflict";
import { Notice } from "@/ui/notice";
import { showSuccess } from "@/ui/toaster";
import { useUpdateOffer } from "../api/update-offer";
import { uploadReplacementImage } from "../api/upload-image";
import { useOfferForm } from "../hooks/use-offer-form";
import { changedPayload, createPayload } from "../lib/offer-payload";
import { editOfferSchema, offerValues } from "../lib/offer-schema";
import { offerFieldLabels, offerWords } from "../lib/offer-words";
import type { DishChoice } from "../types";
import { FormProblem } from "./form-problem";
import { OfferFields } from "./offer-fields";
import { OfferFormActions } from "./offer-form-actions";
import { OfferPreview } from "./offer-preview";

interface EditOfferDialogProps {
  /** The special as it was when the form was opened; newer data doesn't change the form. */
  offer: Special;
  onClose: () => void;
  dishes: Dish[];
  timeZone: string;
}

/** Edit Special Offer. What guests already rely on is guarded by the server. */
export function EditOfferDialog({
  offer: opened,
  onClose,
  dishes,
  timeZone,
}: EditOfferDialogProps) {
  const { form, submit, problem } = useOfferForm({
    schema: useMemo(() => editOfferSchema(), []),
    values: useMemo(() => offerValues(opened, timeZone), [opened, timeZone]),
    refused: { title: "Error", sentence: "Failed to update special offer" },
  });
  const update = useUpdateOffer();
  const telling = useGuestsToTell(`/api/dishes/${opened.id}/change`);
  const [uploading, setUploading] = useState(false);
  const [picture, setPicture] = useState<string | null>(null);
  const choices = useMemo(() => withCurrentAlternative(dishes, opened), [dishes, opened]);
  const conflict = useEditConflict({
    form,
    stored: opened,
    valuesOf: (special) => offerValues(special, timeZone),
    label: (name) => offerFieldLabels[name],
    words: (name, values) => offerWords(name, values, { dishes: choices, timeZone }),
  });
  const { base: offer, differences, taken } = conflict;

  function save(event: FormEvent) {
    event.preventDefault();
    void submit(async (values) => {
      const wanted = createPayload(values, timeZone);
      if (offer.hasPreorders && !(await telling.isUnderstood(wanted))) return;
      const body = changedPayload(values, offer, timeZone);
      try {
        await update.mutateAsync({ id: offer.id, body });
      } catch (failure) {
        if (conflict.isConflict(failure)) return;
        throw failure;
      }
      showSuccess("Special offer updated successfully");
      onClose();
    });
  }

  const busy = update.isPending;
  return (
    <Dialog
      open
      wide
      locked={busy}
      problem={
        problem ? (
          <FormProblem problem={problem} button="Save changes" isSaved={false} />
        ) : (
          telling.warning
        )
      }
      onClose={onClose}
      title="Edit Special Offer"
      footer={
        <OfferFormActions
          form="edit-offer"
          send={telling.saveLabel}
          sending="Saving…"
          busy={busy}
          uploading={uploading}
          onCancel={onClose}
        />
      }
    >
      <form
        id="edit-offer"
        noValidate
        className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]"
        onSubmit={save}
      >
        <div className="stack rhythm-5">
          {differences && (
            <EditConflict
              key={`conflict ${offer.version}`}
              what="this special"
              button={telling.saveLabel}
              differences={differences}
              taken={taken}
              onChoose={conflict.choose}
            />
          )}
          {offer.hasPreorders && (
            <Notice tone="honey">
              <p>
                {offer.currentPreorders > 0
                  ? "Guests have already ordered."
                  : "Guests have orders that aren't paid yet."}{" "}
                You can change the text and photo or lower the price and the minimum. Existing
                orders keep their price. If the dish, its allergens, or its dietary tags change, we
                email these guests, and they can cancel for free.
              </p>
            </Notice>
          )}
          <OfferFields
            key={[offer.version, ...taken].join()}
            form={form}
            dishes={choices}
            timeZone={timeZone}
            upload={uploadReplacementImage}
            onUploading={setUploading}
            onPicturePreview={setPicture}
            hasOrders={offer.hasPreorders}
          />
        </div>
        <div className="hidden lg:block">
          <div className="sticky top-0">
            <OfferPreview
              control={form.control}
              localPicture={picture}
              filled={offer.currentPreorders}
              timeZone={timeZone}
            />
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** An alternative that has left the menu since must not vanish from the form unasked. */
function withCurrentAlternative(dishes: Dish[], offer: Special): DishChoice[] {
  const { alternativeDishId: id, alternativeDishName: name } = offer;
  if (!id || dishes.some((dish) => dish.id === id)) return dishes;
  return [{ id, name: name ?? "Current alternative", price: offer.regularPrice }, ...dishes];
}
