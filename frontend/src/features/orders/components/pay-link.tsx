import { Mail, MessageSquareText, Share2 } from "lucide-react";
import { emailLink, textMessageLink } from "@/lib/share-links";
import { formatMoment } from "@/lib/times";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { orderAddress, ownAddress } from "../lib/order-address";

interface PayLinkProps {
  orderId: string;
  customerName: string;
  what: string;
  url: string;
  /** When the link ends. */
  expiresAt: string | null;
  timeZone: string;
  phone?: string;
  email?: string;
}

/** A guest's link to pay: to copy, to send, or to scan off this screen. */
export function PayLink({
  orderId,
  customerName,
  what,
  url,
  expiresAt,
  timeZone,
  phone,
  email,
}: PayLinkProps) {
  const message = `${customerName}, add your card for ${what} here: ${url}`;
  async function share() {
    try {
      await navigator.share({ title: what, text: `${customerName}, your order: ${what}`, url });
    } catch {
      // Closed without sending; the link is still here.
    }
  }

  return (
    <div className="pay-link">
      <img
        src={ownAddress(`${orderAddress(orderId)}/pay-link.svg`, new URLSearchParams())}
        alt={`QR code of ${customerName}'s payment link`}
        width={176}
        height={176}
        className="pay-link-code"
      />
      <div className="stack min-w-0 rhythm-3">
        <p className="small break-all">
          <a href={url} target="_blank" rel="noreferrer">
            {url.length > 90 ? `${url.slice(0, 90)}…` : url}
          </a>
        </p>
        <div className="cluster">
          <CopyButton text={url} label="Copy link" variant="primary" />
          {"share" in navigator && (
            <Button onClick={() => void share()}>
              <Share2 size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Share
            </Button>
          )}
          {phone && (
            <ButtonLink href={textMessageLink(message, phone)}>
              <MessageSquareText size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Text it
            </ButtonLink>
          )}
          {email && (
            <ButtonLink href={emailLink(`Your order: ${what}`, message, email)}>
              <Mail size="1rem" strokeWidth={1.5} aria-hidden="true" />
              Email it
            </ButtonLink>
          )}
        </div>
        {expiresAt && (
          <p className="small muted">
            We're holding the portions until {formatMoment(expiresAt, timeZone)}. If no card is
            added by then, they're released and nothing is charged.
          </p>
        )}
      </div>
    </div>
  );
}
