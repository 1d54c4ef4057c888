import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

const answers: [string, string][] = [
  [
    "What happens to a diner's card?",
    "It is held for the total when they pre-order. A hold is not a charge: no money moves until the deadline.",
  ],
  [
    "What happens at the deadline?",
    "If the minimum is booked, every hold is charged, diners get a confirmation, and the money is on its way to your account. If it is not, every hold is released and diners are told that they were not charged.",
  ],
  [
    "What counts towards the minimum?",
    "Portions whose card is held. A checkout that was abandoned or declined never counts.",
  ],
  [
    "Why at most seven days?",
    "Banks let a hold stand for seven days. A later deadline could find holds that have already ended.",
  ],
  [
    "What if a card fails when it is charged?",
    "The offer still goes ahead. That diner gets a link to pay within 24 hours; if they do not, only their order is cancelled.",
  ],
  [
    "Can I change or delete an offer?",
    "While nobody has pre-ordered, everything. Afterwards you can change text and photo, or lower the price and the minimum, and it can no longer be deleted.",
  ],
  [
    "How do seats fill?",
    "Share the offer's link where your guests are. The page shows how many more are needed and counts down to the deadline.",
  ],
];

/** How holds and deadlines work, in an owner's words. */
export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      reading
      title="How holds and deadlines work"
      description="You cook only what is booked. Diners pay only if it happens."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <dl className="stack [--gap:1.25rem]">
        {answers.map(([question, answer]) => (
          <div key={question} className="stack [--gap:0.25rem]">
            <dt className="font-semibold">{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
