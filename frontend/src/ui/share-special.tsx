import { MessageCircle, MessageSquareText, Printer, Share2 } from "lucide-react";
import type { Special } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { shortLink, textMessageLink, whatsAppLink } from "@/lib/share-links";
import { formatMoment } from "@/lib/times";
import { Button, ButtonLink } from "./button";
import { CopyButton } from "./copy-button";

/** The ways to tell guests of a special that is open: device, WhatsApp, text message, link, paper. */
export function ShareSpecial({ special, timeZone }: { special: Special; timeZone: string }) {
  const url = shortLink(special);
  const price = formatDecimal(special.specialOfferPrice);
  const closes = formatMoment(special.preorderExpiresAt, timeZone);
  const text = `${special.name} for ${price}. Order by ${closes}: ${url}`;

  async function share() {
    try {
      await navigator.share({ title: special.name, text: `${special.name} for ${price}`, url });
    } catch {
      // Closed without sharing; the other ways are still here.
    }
  }

  return (
    <div className="stack rhythm-2">
      <p className="small break-all rounded-lg bg-sunken p-3">{url}</p>
      <div className="cluster">
        <CopyButton text={url} label="Copy link" size="small" />
        {"share" in navigator && (
          <Button size="small" onClick={() => void share()}>
            <Share2 size="1rem" strokeWidth={1.5} aria-hidden="true" />
            Share
          </Button>
        )}
        <ButtonLink size="small" href={whatsAppLink(text)} target="_blank" rel="noopener">
          <MessageCircle size="1rem" strokeWidth={1.5} aria-hidden="true" />
          WhatsApp
        </ButtonLink>
        <ButtonLink size="small" href={textMessageLink(text)}>
          <MessageSquareText size="1rem" strokeWidth={1.5} aria-hidden="true" />
          Text message
        </ButtonLink>
        <ButtonLink
          size="small"
          href={`/restaurant/offers/${special.id}/poster.pdf`}
          target="_blank"
          rel="noopener"
        >
          <Printer size="1rem" strokeWidth={1.5} aria-hidden="true" />
          Window poster
        </ButtonLink>
        <ButtonLink
          size="small"
          href={`/restaurant/offers/${special.id}/table-tent.pdf`}
          target="_blank"
          rel="noopener"
        >
          <Printer size="1rem" strokeWidth={1.5} aria-hidden="true" />
          Table tent
        </ButtonLink>
      </div>
    </div>
  );
}
