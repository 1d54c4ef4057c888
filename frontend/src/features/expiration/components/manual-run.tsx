import { type ReactNode, useState } from "react";
import { sentenceFor } from "@/lib/server-errors";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { showError, showSuccess } from "@/ui/toaster";
import { useProcessing } from "../api/expirations";

const FAILED = "The run didn't finish. What was settled stays settled. Try again in a minute.";
const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** Settles every special past its deadline, and shows the result. */
export function ManualRun() {
  const processing = useProcessing();
  const [problem, setProblem] = useState<ReactNode>("");
  const result = processing.data;

  async function run() {
    setProblem("");
    try {
      await processing.mutateAsync();
      showSuccess("Processing complete");
    } catch (failure) {
      const sentence = sentenceFor(failure, FAILED);
      setProblem(sentence);
      showError("Processing Failed", sentence);
    }
  }

  return (
    <section className="card" aria-labelledby="manual">
      <div className="card-body stack rhythm-4">
        <h2 id="manual">Run now</h2>
        <p>Settle every special past its deadline, even while the scheduler is stopped.</p>
        <Button variant="primary" className="self-start" busy={processing.isPending} onClick={run}>
          {processing.isPending ? "Processing…" : "Process expired specials"}
        </Button>
        <div aria-live="polite">
          {result && !problem && (
            <Notice tone="herb">
              <p>
                {counted(result.processedSpecials, "special", "specials")} settled:{" "}
                {counted(result.confirmedOrders, "order", "orders")} confirmed,{" "}
                {counted(result.cancelledOrders, "order", "orders")} canceled.
              </p>
            </Notice>
          )}
        </div>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}
