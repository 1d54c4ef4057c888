import { ExternalLink, Megaphone } from "lucide-react";
import type { ReactNode } from "react";
import type { Special } from "@/api/types";
import { Button, ButtonLink } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { ShareSpecial } from "@/ui/share-special";

interface CreatedOfferProps {
  offer: Special;
  timeZone: string;
  /** How the restaurant gets paid, for people who can set that up. */
  connect?: ReactNode;
  /** The way to the announcement; without it the page has its own place for that. */
  onAnnounce?: () => void;
  /** Empties the form for the next special; without it there is no such form. */
  onAnother?: () => void;
  onClose: () => void;
}

/** It is published: what keeps guests from ordering, its link, and the way to tell people. */
export function CreatedOffer(props: CreatedOfferProps) {
  const { offer, timeZone, connect, onAnnounce, onAnother, onClose } = props;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Special offer created successfully!"
      description={
        offer.preordersOpen
          ? `${offer.name} is live. Share its link to fill the seats.`
          : `${offer.name} is published, but guests can't order it yet.`
      }
      footer={
        <>
          {onAnother && <Button onClick={onAnother}>Create Another Offer</Button>}
          <Button onClick={onClose}>{offer.preordersOpen ? "Done" : "Do this later"}</Button>
        </>
      }
    >
      <div className="stack rhythm-5">
        {!offer.preordersOpen && (
          <section className="stack rhythm-3" aria-labelledby="one-step-left">
            <h3 id="one-step-left">One step left: get paid</h3>
            {connect ?? (
              <Notice tone="honey">
                <p>
                  Guests can order once your restaurant is connected to Stripe. Ask its owner to do
                  that; it takes about five minutes.
                </p>
              </Notice>
            )}
          </section>
        )}
        <div className="stack rhythm-3">
          {!offer.preordersOpen && <h3>Its page</h3>}
          <ShareSpecial special={offer} timeZone={timeZone} />
          <div className="cluster">
            <ButtonLink variant="quiet" href={offer.shareableUrl} target="_blank" rel="noopener">
              <ExternalLink size="1rem" strokeWidth={1.5} aria-hidden="true" />
              View guest page
            </ButtonLink>
          </div>
        </div>
        {onAnnounce && (
          <div className="stack rhythm-2">
            <p>Announce it now: we write the text, you review it and send it.</p>
            <Button
              variant={offer.preordersOpen ? "primary" : "secondary"}
              className="self-start"
              onClick={onAnnounce}
            >
              <Megaphone size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              Announce
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
