import { Button } from "@/ui/button";

interface OfferFormActionsProps {
  /** The id of the form that is sent. */
  form: string;
  send: string;
  /** What the button says while it is being sent. */
  sending: string;
  busy: boolean;
  uploading: boolean;
  onCancel: () => void;
}

/** The foot of a dialog with a special's form; a photo that is on its way is waited for. */
export function OfferFormActions({
  form,
  send,
  sending,
  busy,
  uploading,
  onCancel,
}: OfferFormActionsProps) {
  return (
    <>
      <Button variant="quiet" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" form={form} busy={busy} disabled={busy || uploading}>
        {uploading ? "Uploading photo…" : busy ? sending : send}
      </Button>
    </>
  );
}
