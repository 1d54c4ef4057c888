import { zodResolver } from "@hookform/resolvers/zod";
import { ExternalLink } from "lucide-react";
import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { Dish, Special } from "@/api/types";
import { applyServerErrors } from "@/lib/server-errors";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Dialog } from "@/ui/dialog";
import { showError, showSuccess } from "@/ui/toaster";
import { useCreateOffer } from "../api/create-offer";
import { uploadImage } from "../api/upload-image";
import { createPayload } from "../lib/offer-payload";
import { createOfferSchema, newOfferValues, type OfferFormValues } from "../lib/offer-schema";
import { OfferFields } from "./offer-fields";
import { OfferPreview } from "./offer-preview";

interface CreateOfferDialogProps {
  open: boolean;
  onClose: () => void;
  onCreated: (offer: Special) => void;
  dishes: Dish[];
  timeZone: string;
}

/** Create Special Offer: the form with its preview, then the link to share. */
export function CreateOfferDialog({ open, onClose, ...rest }: CreateOfferDialogProps) {
  // Closing unmounts the form, so that the next opening starts from fresh dates.
  return open ? <OpenDialog onClose={onClose} {...rest} /> : null;
}

function OpenDialog({
  onClose,
  onCreated,
  dishes,
  timeZone,
}: Omit<CreateOfferDialogProps, "open">) {
  const form = useForm<OfferFormValues>({
    resolver: useMemo(() => zodResolver(createOfferSchema(timeZone)), [timeZone]),
    defaultValues: useMemo(() => newOfferValues(timeZone), [timeZone]),
  });
  const create = useCreateOffer();
  const [created, setCreated] = useState<Special | null>(null);
  const [uploading, setUploading] = useState(false);
  const [picture, setPicture] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  function startOver() {
    form.reset(newOfferValues(timeZone));
    setPicture(null);
    setProblem(null);
    setCreated(null);
    // A new key gives the picture field a fresh start as well.
    setRound((count) => count + 1);
  }

  function save(another: boolean) {
    return form.handleSubmit(
      async (values) => {
        setProblem(null);
        try {
          const offer = await create.mutateAsync(createPayload(values, timeZone));
          onCreated(offer);
          if (another) {
            startOver();
            showSuccess("Special offer created! Add another one below.");
          } else {
            setCreated(offer);
            showSuccess("Special offer added successfully", "Your new special offer is now live.");
          }
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
    )();
  }

  if (created) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Special offer created successfully!"
        description={`${created.name} is live. Share its link: that is how the seats fill.`}
        footer={
          <>
            <Button onClick={startOver}>Create Another Offer</Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <div className="stack">
          <p className="rounded-lg bg-sunken p-3 break-all">{created.shareableUrl}</p>
          <div className="cluster">
            <CopyButton text={created.shareableUrl} label="Copy link" />
            <ButtonLink variant="quiet" href={created.shareableUrl} target="_blank" rel="noopener">
              <ExternalLink size={16} strokeWidth={1.5} aria-hidden="true" />
              Open the offer's page
            </ButtonLink>
          </div>
        </div>
      </Dialog>
    );
  }

  const busy = create.isPending;
  const wait = busy || uploading;
  return (
    <Dialog
      open
      wide
      locked={busy}
      problem={problem && `${problem} What you typed is still here.`}
      onClose={onClose}
      title="Create Special Offer"
      description="Name, two prices and a photo are enough; the rest has sensible defaults."
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button onClick={() => save(true)} disabled={wait}>
            Add another
          </Button>
          <Button variant="primary" type="submit" form="create-offer" busy={busy} disabled={wait}>
            {uploading ? "Uploading photo…" : busy ? "Publishing…" : "Publish offer"}
          </Button>
        </>
      }
    >
      <form
        id="create-offer"
        noValidate
        className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]"
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <div className="stack [--gap:1.25rem]">
          <OfferFields
            key={round}
            form={form}
            dishes={dishes}
            timeZone={timeZone}
            upload={uploadImage}
            onUploading={setUploading}
            onPicturePreview={setPicture}
          />
        </div>
        <div className="hidden lg:block">
          <div className="sticky top-0">
            <OfferPreview
              control={form.control}
              localPicture={picture}
              filled={0}
              timeZone={timeZone}
            />
          </div>
        </div>
      </form>
    </Dialog>
  );
}
