import { Check, Undo2, UserX } from "lucide-react";
import { useState } from "react";
import type { OrderDetail } from "@/api/types";
import { formatDecimal } from "@/lib/money";
import { serviceModes } from "@/lib/service-modes";
import { formatDay, formatMoment } from "@/lib/times";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { CopyButton } from "@/ui/copy-button";
import { Notice } from "@/ui/notice";
import { showSuccess } from "@/ui/toaster";
import { useOrderActions } from "../hooks/use-order-actions";
import { counted, paymentTone, statusTone } from "../lib/order-labels";
import { CancelDialog, RefundDialog } from "./action-dialogs";
import { OrderActivity } from "./order-activity";
import { OrderEmails } from "./order-emails";
import { OrderMoney } from "./order-money";
import { NoteForm } from "./order-notes";
import { PayLink } from "./pay-link";
import { ReplaceLink } from "./replace-link";

interface OrderViewProps {
  detail: OrderDetail;
  timeZone: string;
}

/** One order: who, what and when; what can be done; the money; everything that happened. */
export function OrderView({ detail, timeZone }: OrderViewProps) {
  const { order, payUrl, payUntil } = detail;
  return (
    <div className="order-view">
      <div className="stack min-w-0 rhythm-6">
        <div className="cluster">
          <Badge tone={statusTone(order)}>{order.statusLabel}</Badge>
          <Badge tone={paymentTone(order.paymentStatus)}>{order.paymentLabel}</Badge>
          {order.source === "phone" && <Badge tone="other">By phone</Badge>}
        </div>
        {order.note && (
          <Notice tone="honey">
            <p>
              <strong>From {order.customerName}:</strong> {order.note}
            </p>
          </Notice>
        )}
        {detail.disputes.map((dispute) => (
          <Notice key={`${dispute.title} ${dispute.url}`} tone={dispute.isOpen ? "berry" : "honey"}>
            <p>
              <strong>{dispute.title}.</strong> {dispute.text}
            </p>
            {dispute.url && (
              <ButtonLink size="small" className="self-start" href={dispute.url}>
                View dispute
              </ButtonLink>
            )}
          </Notice>
        ))}
        <Actions detail={detail} />
        {payUrl && (
          <section aria-label="Payment link" className="card">
            <div className="card-body">
              <PayLink
                orderId={order.id}
                phone={order.customerPhone || undefined}
                email={order.customerEmail || undefined}
                customerName={order.customerName}
                what={`${order.quantity} × ${order.offerName}`}
                url={payUrl}
                expiresAt={payUntil}
                timeZone={timeZone}
              />
            </div>
          </section>
        )}
        <Facts detail={detail} timeZone={timeZone} />
        <section aria-labelledby="order-activity" className="stack">
          <h2 id="order-activity">Activity</h2>
          {order.actions.includes("note") && <NoteForm order={order} />}
          <OrderActivity entries={detail.activity} timeZone={timeZone} />
        </section>
      </div>
      <div className="stack min-w-0 rhythm-6">
        <section aria-labelledby="order-money" className="card">
          <div className="card-body stack rhythm-3">
            <h2 id="order-money">Payment</h2>
            <OrderMoney detail={detail} />
          </div>
        </section>
        <section aria-labelledby="order-emails" className="stack rhythm-3">
          <h2 id="order-emails">Emails</h2>
          <OrderEmails detail={detail} timeZone={timeZone} />
        </section>
      </div>
    </div>
  );
}

function Facts({ detail, timeZone }: OrderViewProps) {
  const { order, orderUrl } = detail;
  return (
    <dl className="facts order-facts">
      <div>
        <dt>Order</dt>
        <dd>
          <strong>{counted(order.quantity, "portion")}</strong> of {order.servedName}
          {order.servesAlternative && (
            <p className="small muted">Alternative for {order.offerName}</p>
          )}
        </dd>
      </div>
      <div>
        <dt>{serviceModes[order.serviceMode] ?? "Pickup"}</dt>
        <dd>
          {formatDay(order.offerServeDate)}
          {order.slot && <>, {order.slot.label}</>}
        </dd>
      </div>
      <div>
        <dt>Contact</dt>
        <dd className="break-words">
          {order.customerPhone && (
            <p>
              <a href={`tel:${order.customerPhone}`}>{order.customerPhone}</a>
            </p>
          )}
          {order.customerEmail && (
            <p className="break-all">
              <a className="wrap-anywhere" href={`mailto:${order.customerEmail}`}>
                {order.customerEmail}
              </a>
            </p>
          )}
        </dd>
      </div>
      <div>
        <dt>Ordered</dt>
        <dd>{formatMoment(order.createdAt, timeZone)}</dd>
      </div>
      <div>
        <dt>Pickup code</dt>
        <dd className="order-code">{order.code}</dd>
      </div>
      {detail.referredBy && (
        <div>
          <dt>Referred by</dt>
          <dd>
            <a href={`/restaurant/orders/${detail.referredBy.id}`}>
              {detail.referredBy.customerName}
            </a>
          </dd>
        </div>
      )}
      {(detail.referrals.length > 0 || detail.linkVisits > 0) && (
        <div>
          <dt>Referrals</dt>
          <dd>
            {detail.referrals.map((friend) => (
              <p key={friend.id}>
                <a href={`/restaurant/orders/${friend.id}`}>{friend.customerName}</a>,{" "}
                {counted(friend.quantity, "portion")}
              </p>
            ))}
            <p className="small muted">{counted(detail.linkVisits, "visit")} from the share link</p>
          </dd>
        </div>
      )}
      <div>
        <dt>Guest page</dt>
        <dd className="cluster">
          <a href={orderUrl} target="_blank" rel="noreferrer">
            Open
          </a>
          <CopyButton
            size="small"
            variant="quiet"
            text={orderUrl}
            label="Copy link"
            accessibleLabel="Copy link to the guest page"
          />
          {order.actions.includes("new_link") && <ReplaceLink order={order} />}
        </dd>
      </div>
    </dl>
  );
}

function Actions({ detail }: { detail: OrderDetail }) {
  const { order } = detail;
  const { run, doing, problem, clearProblem } = useOrderActions(order.id);
  const [asking, setAsking] = useState<"cancel" | "refund" | null>(null);
  const can = (action: OrderDetail["order"]["actions"][number]) => order.actions.includes(action);
  if (!["pick_up", "no_show", "undo", "cancel", "refund"].some((action) => can(action as "undo"))) {
    return null;
  }

  function ask(what: "cancel" | "refund" | null) {
    clearProblem();
    setAsking(what);
  }

  async function cancel(reason: string) {
    if (!(await run({ action: "cancel", reason }, order))) return;
    setAsking(null);
    showSuccess("Order canceled", `${order.customerName}'s order was canceled.`);
  }

  async function refund(amount: string | null, reason: string, confirmAmount: string | null) {
    const again = confirmAmount === null ? {} : { confirmAmount };
    if (!(await run({ action: "refund", amount, reason, ...again }, order))) return;
    setAsking(null);
    showSuccess(
      "Refund on its way",
      amount
        ? `${order.customerName} will receive ${formatDecimal(amount)}.`
        : `${order.customerName} will receive the full amount.`,
    );
  }

  return (
    <section aria-label="Actions" className="stack rhythm-2">
      <div className="cluster">
        {can("pick_up") && (
          <Button
            variant="primary"
            busy={doing === "pick-up"}
            onClick={() => void run({ action: "pick-up" }, order)}
          >
            <Check size="1.125rem" strokeWidth={2} aria-hidden="true" />
            Mark as picked up
          </Button>
        )}
        {can("no_show") && (
          <Button busy={doing === "no-show"} onClick={() => void run({ action: "no-show" }, order)}>
            <UserX size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Mark as no-show
          </Button>
        )}
        {can("undo") && (
          <Button busy={doing === "undo"} onClick={() => void run({ action: "undo" }, order)}>
            <Undo2 size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Undo “{order.statusLabel}”
          </Button>
        )}
        {can("refund") && (
          <Button variant="danger" onClick={() => ask("refund")}>
            Refund…
          </Button>
        )}
        {can("cancel") && (
          <Button variant="danger" onClick={() => ask("cancel")}>
            Cancel order…
          </Button>
        )}
      </div>
      {problem && !asking && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      {asking === "cancel" && (
        <CancelDialog
          detail={detail}
          busy={doing !== null}
          problem={problem}
          onClose={() => ask(null)}
          onCancel={(reason) => void cancel(reason)}
        />
      )}
      {asking === "refund" && (
        <RefundDialog
          detail={detail}
          busy={doing !== null}
          problem={problem}
          onClose={() => ask(null)}
          onRefund={(amount, reason, again) => void refund(amount, reason, again)}
        />
      )}
    </section>
  );
}
