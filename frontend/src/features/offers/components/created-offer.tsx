import { ExternalLink, Megaphone } from "lucide-react";
import type { Special } from "@/api/types";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Dialog } from "@/ui/dialog";

interface CreatedOfferProps {
  offer: Special;
  onAnnounce: () => void;
  onAnother: () => void;
  onClose: () => void;
}

/** It is live: its link, and the way to tell people. */
export function CreatedOffer({ offer, onAnnounce, onAnother, onClose }: CreatedOfferProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Special offer created successfully!"
      description={`${offer.name} is live. Share its link to fill the seats.`}
      footer={
        <>
          <Button onClick={onAnother}>Create Another Offer</Button>
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <div className="stack rhythm-5">
        <div className="stack rhythm-3">
          <p className="rounded-lg bg-sunken p-3 break-all">{offer.shareableUrl}</p>
          <div className="cluster">
            <CopyButton text={offer.shareableUrl} label="Copy link" />
            <ButtonLink variant="quiet" href={offer.shareableUrl} target="_blank" rel="noopener">
              <ExternalLink size={16} strokeWidth={1.5} aria-hidden="true" />
              View guest page
            </ButtonLink>
          </div>
        </div>
        <div className="stack rhythm-2">
          <p>Announce it now: we write the text, you review it and send it.</p>
          <Button variant="primary" className="self-start" onClick={onAnnounce}>
            <Megaphone size={18} strokeWidth={1.5} aria-hidden="true" />
            Announce
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
