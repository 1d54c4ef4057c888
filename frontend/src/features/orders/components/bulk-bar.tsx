import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isSignedOut, NetworkError } from "@/api/client";
import type { BulkDone, Order } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Notice } from "@/ui/notice";
import { showSuccess } from "@/ui/toaster";
import { useBulkOrderAction } from "../api/bulk-order-action";
import { allowing, type BulkKind, bulkConsequence, bulkKinds } from "../lib/bulk";
import { counted } from "../lib/order-labels";
import { NO_REASON, ReasonField } from "./action-dialogs";

interface BulkBarProps {
  orders: Order[];
  onClear: () => void;
  /** Called with the orders that have changed. */
  onDone: (ids: string[]) => void;
}

/** Actions for the selected orders. Each order succeeds or fails on its own. */
export function BulkBar({ orders, onClear, onDone }: BulkBarProps) {
  const bulkAction = useBulkOrderAction();
  const [asking, setAsking] = useState<BulkKind | null>(null);
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const [progress, setProgress] = useState(0);
  const [problem, setProblem] = useState<ReactNode>(null);
  const [refused, setRefused] = useState<(BulkDone["refused"][number] & { name: string })[]>([]);

  async function run(kind: BulkKind) {
    if (bulkAction.isPending) return;
    const ids = allowing(orders, kind.action).map(({ id }) => id);
    const names = new Map(orders.map(({ id, customerName }) => [id, customerName]));
    setProblem(null);
    setRefused([]);
    setProgress(0);
    try {
      const answer = await bulkAction.mutateAsync({
        action: kind.action,
        ids,
        reason: reason.trim(),
        onProgress: setProgress,
      });
      onDone(answer.done);
      setRefused(answer.refused.map((each) => ({ ...each, name: names.get(each.id) ?? "" })));
      setAsking(null);
      setReason("");
      if (answer.done.length) showSuccess(kind.done(answer.done.length));
    } catch (failure) {
      // Some may have gone through: the list says which, and a second press skips those.
      if (!isSignedOut(failure)) onDone(ids);
      const sentence = sentenceFor(failure, "That didn't work. Try again in a minute.");
      setProblem(
        failure instanceof NetworkError
          ? `${failure.message} Some of the ${ids.length} may have gone through. The list shows which; trying again won't repeat them.`
          : sentence,
      );
    }
  }

  const affected = asking ? allowing(orders, asking.action) : [];
  const left = orders.length - affected.length;
  return (
    <>
      {(refused.length > 0 || (problem && !asking)) && (
        <Notice tone="berry" urgent>
          {problem && <p>{problem}</p>}
          {refused.length > 0 && (
            <>
              <p>
                <strong>{counted(refused.length, "order")} unchanged:</strong>
              </p>
              <ul className="small max-h-48 overflow-y-auto">
                {refused.map(({ id, code, name, message }) => (
                  <li key={id}>
                    {name} {code}: {message}
                  </li>
                ))}
              </ul>
            </>
          )}
          <Button
            size="small"
            className="self-start"
            onClick={() => {
              setRefused([]);
              setProblem(null);
            }}
          >
            Close
          </Button>
        </Notice>
      )}
      {orders.length > 0 && (
        <section className="bulk-bar" aria-label="Selected orders">
          <p role="status" className="font-semibold">
            {counted(orders.length, "order")} selected
          </p>
          <div className="bulk-actions">
            {bulkKinds.map((kind) => {
              const count = allowing(orders, kind.action).length;
              if (!count) return null;
              const danger = kind.action === "cancel" || kind.action === "refund";
              return (
                <Button
                  key={kind.action}
                  size="small"
                  variant={danger ? "danger" : "secondary"}
                  busy={bulkAction.isPending && bulkAction.variables.action === kind.action}
                  disabled={bulkAction.isPending && bulkAction.variables.action !== kind.action}
                  onClick={() => {
                    setProblem(null);
                    if (kind.asks) setAsking(kind);
                    else void run(kind);
                  }}
                >
                  {kind.label}
                  {count < orders.length && ` (${count})`}
                </Button>
              );
            })}
          </div>
          <Button size="small" variant="quiet" onClick={onClear} aria-label="Clear selection">
            <X size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
          </Button>
        </section>
      )}
      {asking && (
        <Dialog
          open
          onClose={() => setAsking(null)}
          locked={bulkAction.isPending}
          title={`${asking.label}: ${counted(affected.length, "order")}`}
          description={bulkConsequence(asking.action, affected)}
          problem={problem}
          footer={
            <>
              <Button disabled={bulkAction.isPending} onClick={() => setAsking(null)}>
                Leave as is
              </Button>
              <Button
                variant={asking.action === "resend" ? "primary" : "danger"}
                busy={bulkAction.isPending}
                onClick={() => {
                  const needed = asking.action !== "resend" && !reason.trim();
                  setMissing(needed);
                  if (!needed) void run(asking);
                }}
              >
                {bulkAction.isPending && progress
                  ? `${progress} of ${affected.length}…`
                  : `${asking.label} ${counted(affected.length, "order")}`}
              </Button>
            </>
          }
        >
          <div className="stack">
            {left > 0 && (
              <p className="muted">
                This doesn't apply to {counted(left, "selected order")}.{" "}
                {left === 1 ? "It stays" : "They stay"} unchanged.
              </p>
            )}
            {asking.action !== "resend" && (
              <ReasonField
                autoFocus
                value={reason}
                error={missing ? NO_REASON : null}
                onChange={setReason}
              />
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}
