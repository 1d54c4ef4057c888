import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

const answers: [string, string][] = [
  [
    "What happens to a guest's card?",
    "We place a hold for the total when they pre-order. A hold isn't a charge: no money moves until the deadline.",
  ],
  [
    "What happens at the deadline?",
    "If the minimum is met, we charge every card, email your guests a confirmation, and send the money to your account. If it isn't, we release every hold and tell your guests they weren't charged.",
  ],
  [
    "What counts toward the minimum?",
    "Portions with a card on hold. Abandoned and declined checkouts never count.",
  ],
  [
    "Why is seven days the limit?",
    "Banks keep a hold for seven days. With a later deadline, some holds could expire before it.",
  ],
  [
    "What if a charge fails?",
    "The special still goes ahead. The guest gets a link to pay within 24 hours. If they don't, only their order is canceled.",
  ],
  [
    "Can I change or delete a special?",
    "Until someone pre-orders, you can change anything. After that you can edit the text and photo or lower the price and the minimum, but you can't delete it.",
  ],
  [
    "How do I fill the seats?",
    "Share the special's link with your guests. Its page shows how many more are needed and counts down to the deadline.",
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
      description="You cook only what's ordered. Guests pay only if it happens."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <dl className="stack rhythm-5">
        {answers.map(([question, answer]) => (
          <div key={question} className="stack rhythm-1">
            <dt className="font-semibold">{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
