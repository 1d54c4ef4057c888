import { CircleSlash } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Rehearsal, Special } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Checkbox, TextArea } from "@/ui/inputs";
import { showSuccess } from "@/ui/toaster";
import { useCancelOffer } from "../api/cancel-offer";

/** As the server has it. */
const LONGEST_REASON = 120;

interface CancelOfferProps {
  special: Special;
  rehearsal: Rehearsal;
}

/** Cancels the special before its deadline: every hold is released, and every guest is told why. */
export function CancelOffer({ special, rehearsal }: CancelOfferProps) {
  // The list of specials links directly to the question.
  const [asking, setAsking] = useState(() => location.hash === "#cancel-offer");
  return (
    <section className="stack rhythm-2" aria-labelledby="cancel-offer">
      <h2 id="cancel-offer">If you can't cook it</h2>
      <p className="muted">
        Cancel it any time before the deadline. Nobody is charged, and every guest hears why from
        you.
      </p>
      <Button className="self-start" onClick={() => setAsking(true)}>
        <CircleSlash size="1rem" strokeWidth={1.5} aria-hidden="true" />
        Cancel this special
      </Button>
      {asking && (
        <CancelOfferDialog
          special={special}
          rehearsal={rehearsal}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

/** What canceling means for the guests who have ordered. */
export function cancelConsequence({
  charged,
  alternative,
  released,
  refunded,
  waiting,
}: Rehearsal) {
  const orders = [charged, alternative, released, refunded].reduce(
    (sum, group) => sum + group.orders,
    0,
  );
  if (!orders && !waiting) {
    return "No one has ordered yet. The special disappears from your page and stays in your history.";
  }
  const guests = orders === 1 ? "1 order ends" : `${orders} orders end`;
  const checkout = waiting ? " Checkouts that are open now are closed." : "";
  return `${guests}: holds are released, cards that were charged early are refunded in full, and each guest gets an email with your reason.${checkout} This can't be undone.`;
}

function CancelOfferDialog({
  special,
  rehearsal,
  onClose,
}: CancelOfferProps & { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [isReasonPublic, setReasonPublic] = useState(false);
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<ReactNode>(null);
  const cancel = useCancelOffer(special.id);

  async function carryOut() {
    setMissing(!reason.trim());
    if (!reason.trim() || cancel.isPending) return;
    setProblem(null);
    try {
      const answer = await cancel.mutateAsync({ reason: reason.trim(), isReasonPublic });
      showSuccess(answer?.message ?? "Special canceled");
      onClose();
    } catch (failure) {
      setProblem(sentenceFor(failure, "We couldn't cancel it. Nothing has changed. Try again."));
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={cancel.isPending}
      title={`Cancel ${special.name}?`}
      description={cancelConsequence(rehearsal)}
      problem={problem}
      footer={
        <>
          <Button disabled={cancel.isPending} onClick={onClose}>
            Keep special
          </Button>
          <Button variant="danger" busy={cancel.isPending} onClick={() => void carryOut()}>
            Cancel special
          </Button>
        </>
      }
    >
      <TextArea
        label="Reason"
        rows={3}
        maxLength={LONGEST_REASON}
        hint="Your guests read this in their email."
        error={missing ? "Tell your guests why." : undefined}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        data-autofocus
      />
      <Checkbox
        label="Show this reason on the special's page, too"
        checked={isReasonPublic}
        onChange={(event) => setReasonPublic(event.target.checked)}
      />
    </Dialog>
  );
}
