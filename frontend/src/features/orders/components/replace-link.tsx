import { useState } from "react";
import type { Order } from "@/api/types";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { showSuccess } from "@/ui/toaster";
import { useOrderActions } from "../hooks/use-order-actions";

/** Ends the links to an order, such as one that was passed on, and emails the guest a new one. */
export function ReplaceLink({ order }: { order: Order }) {
  const { run, doing, problem, clearProblem } = useOrderActions(order.id);
  const [asking, setAsking] = useState(false);
  const busy = doing !== null;
  const next = order.customerEmail
    ? `We'll email a new one to ${order.customerEmail}.`
    : "This order has no email address, so copy the new link and give it to the guest.";

  function close() {
    clearProblem();
    setAsking(false);
  }

  async function replace() {
    if (!(await run({ action: "new-link" }, order))) return;
    setAsking(false);
    showSuccess(
      "Link replaced",
      order.customerEmail
        ? `A new one is on its way to ${order.customerEmail}.`
        : "Copy the new link and give it to the guest.",
    );
  }

  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setAsking(true)}>
        Replace link…
      </Button>
      {asking && (
        <Dialog
          open
          onClose={close}
          locked={busy}
          title="Replace the link to this order?"
          description="Every link to it so far stops working, for everyone."
          problem={problem}
          footer={
            <>
              <Button disabled={busy} onClick={close}>
                Keep link
              </Button>
              <Button variant="danger" busy={busy} onClick={() => void replace()}>
                Replace link
              </Button>
            </>
          }
        >
          <p>{next}</p>
        </Dialog>
      )}
    </>
  );
}
