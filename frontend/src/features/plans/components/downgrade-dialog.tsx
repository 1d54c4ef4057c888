import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import type { PlanState } from "../types";

interface DowngradeDialogProps {
  open: boolean;
  plan: PlanState;
  busy: boolean;
  problem: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** What changing to the Free plan means, before it is chosen. */
export function DowngradeDialog(props: DowngradeDialogProps) {
  const { open, plan, busy, problem, onConfirm, onClose } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      locked={busy}
      title="Change to the Free plan?"
      problem={problem}
      footer={
        <>
          <Button variant="quiet" disabled={busy} onClick={onClose}>
            Stay on {plan.name}
          </Button>
          <Button variant="primary" busy={busy} onClick={onConfirm}>
            Change to Free
          </Button>
        </>
      }
    >
      <ul className="choice-list">
        {plan.downgradeEffects.map((effect) => (
          <li key={effect}>
            <span>{effect}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
