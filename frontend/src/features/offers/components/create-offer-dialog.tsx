import { Megaphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Dish, Special } from "@/api/types";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { showSuccess } from "@/ui/toaster";
import { uploadImage } from "../api/upload-image";
import { useNewOffer } from "../hooks/use-new-offer";
import type { OfferFormValues } from "../lib/offer-schema";
import { CreatedOffer } from "./created-offer";
import { FormProblem } from "./form-problem";
import { OfferFields } from "./offer-fields";
import { OfferPreview } from "./offer-preview";

/** The terms that advice depends on, as typed. */
export interface AdvisedTerms {
  price: string;
  minimum: string;
  maximum: string;
}

interface CreateOfferDialogProps {
  open: boolean;
  onClose: () => void;
  onCreated: (offer: Special) => void;
  dishes: Dish[];
  timeZone: string;
  /** The step that tells people about the special; without it another place on the page does. */
  announce?: (offer: Special) => ReactNode;
  /** How the restaurant gets paid; shown once a published special can't be ordered yet. */
  connect?: ReactNode;
  /** What the advisor says of the terms typed so far. */
  advise?: (terms: AdvisedTerms) => ReactNode;
  /** What a new restaurant can sell until its first payout; empty once that has arrived. */
  salesLimit?: string;
  /** The platform fee that the special will carry; empty if it carries none. */
  feeNote?: string;
}

/** Create Special Offer: the form with its preview, the link to share, the announcement. */
export function CreateOfferDialog({ open, ...rest }: CreateOfferDialogProps) {
  // Closing unmounts the form; what was typed is in its draft.
  return open ? <OpenDialog {...rest} /> : null;
}

type Stage = "form" | "created" | "announcing";
/** What follows publishing: the link, the next special, or the announcement. */
type Next = "created" | "another" | "announcing";

function OpenDialog({
  onClose,
  onCreated,
  dishes,
  timeZone,
  announce,
  connect,
  advise,
  salesLimit = "",
  feeNote = "",
}: Omit<CreateOfferDialogProps, "open">) {
  const { form, publish, startOver, restored, problem, round, busy } = useNewOffer(timeZone);
  const [stage, setStage] = useState<Stage>("form");
  const [created, setCreated] = useState<Special | null>(null);
  const [uploading, setUploading] = useState(false);
  const [picture, setPicture] = useState<string | null>(null);

  function restart() {
    startOver();
    setPicture(null);
    setStage("form");
  }

  function save(next: Next) {
    return publish((offer) => {
      onCreated(offer);
      setCreated(offer);
      if (next === "another") {
        restart();
        showSuccess("Special offer created! Add another one below.");
      } else {
        setStage(next);
        if (next === "announcing") showSuccess("Special offer created successfully!");
        else if (offer.preordersOpen) {
          showSuccess("Special offer added successfully", "Your new special offer is now live.");
        }
      }
    });
  }

  if (stage === "created" && created) {
    return (
      <CreatedOffer
        offer={created}
        timeZone={timeZone}
        connect={connect}
        onAnnounce={announce && (() => setStage("announcing"))}
        onAnother={restart}
        onClose={onClose}
      />
    );
  }
  if (stage === "announcing" && created) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Announce your special"
        description={
          created.preordersOpen
            ? `${created.name} is live. Review the text, edit it, and send it.`
            : `${created.name} is published. Guests can order once Stripe is connected.`
        }
        footer={
          <>
            <Button onClick={restart}>Create Another Offer</Button>
            <Button onClick={onClose}>Done</Button>
          </>
        }
      >
        {announce?.(created)}
      </Dialog>
    );
  }

  const wait = busy || uploading;
  return (
    <Dialog
      open
      wide
      locked={busy}
      problem={problem && <FormProblem problem={problem} button="Publish offer" isSaved />}
      onClose={onClose}
      title="Create Special Offer"
      description="All you need is a photo, a name, and two prices. The rest has defaults."
      footer={
        <>
          <Button variant="quiet" className="max-sm:hidden" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {announce && (
            <>
              <Button onClick={() => save("another")} disabled={wait}>
                Add another
              </Button>
              <Button onClick={() => save("announcing")} disabled={wait}>
                <Megaphone size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
                Announce
              </Button>
            </>
          )}
          <Button
            variant="primary"
            className="dialog-foot-main"
            type="submit"
            form="create-offer"
            busy={busy}
            disabled={wait}
          >
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
          void save("created");
        }}
      >
        <div className="stack rhythm-5">
          {restored && (
            <Notice>
              <p>We saved your draft.</p>
              <Button size="small" className="self-start" onClick={restart}>
                Start over
              </Button>
            </Notice>
          )}
          {salesLimit && (
            <Notice>
              <p>{salesLimit}</p>
            </Notice>
          )}
          {feeNote && (
            <Notice tone="honey">
              <p>{feeNote}</p>
            </Notice>
          )}
          <OfferFields
            key={round}
            form={form}
            dishes={dishes}
            timeZone={timeZone}
            upload={uploadImage}
            onUploading={setUploading}
            onPicturePreview={setPicture}
          >
            {advise && <Advised form={form} advise={advise} />}
          </OfferFields>
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

/** Follows the terms as they are typed. */
function Advised({
  form,
  advise,
}: {
  form: UseFormReturn<OfferFormValues>;
  advise: (terms: AdvisedTerms) => ReactNode;
}) {
  const [price, minimum, maximum] = form.watch([
    "specialOfferPrice",
    "minPreordersRequired",
    "maxPreorders",
  ]);
  return advise({ price, minimum: String(minimum), maximum: String(maximum) });
}
