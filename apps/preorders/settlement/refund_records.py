"""Records the outcome of refunds: pending, succeeded, or returned by the guest's bank.

A refund is recorded in the ledger once it has succeeded or failed. One that failed is recorded
twice, as sent and as returned, because the restaurant's transfer was reversed and stays reversed
while the money is in the platform's balance. A card that refused a refund refuses the next one too,
so a person pays the guest another way: https://docs.stripe.com/refunds#failed-refunds

The caller holds the order's lock.
"""

from datetime import datetime, timedelta

from django.db.models import Q, Sum

from apps.billing import ledger
from apps.billing.fees import Fees, refunded_fees, split_fees
from apps.billing.gateway import IntentSnapshot, RefundSnapshot, RefundStatus, RefundTotals
from apps.billing.models import Discrepancy, PaymentHistory
from apps.common import formats
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.pricing import price_of
from apps.preorders.core.transitions import set_order_status, set_payment_status
from apps.preorders.core.webhook_events import publish_refund
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.capture import ledger_ref

# A pending refund is a matter for people after this time, or at once if the platform's balance is
# too low for it: https://docs.stripe.com/refunds
PENDING_ALARM_AFTER = timedelta(days=3)
BALANCE_TOO_LOW = "insufficient_funds"
OVERTAKEN = "the guest disputed the charge first"  # in the issue about it
CHARGE_DISPUTED = "charge_disputed"  # https://docs.stripe.com/error-codes#charge-disputed
# The charge was disputed before the refund reached the bank, so the guest has the money from there:
# https://docs.stripe.com/api/refunds/object#refund_object-failure_reason
OVERTAKEN_BY_DISPUTE = "charge_for_pending_refund_disputed"


def record_refunds(order: PreOrder, hold: IntentSnapshot, *, now: datetime) -> None:
    """Record the refunds of `hold`, ours or the Stripe dashboard's; recorded ones are skipped.

    The order stays valid until all of its charge was sent back. If the bank returned a full refund,
    the payment counts as charged again, because that is what it is for the guest.
    """
    totals = hold.refunds
    if totals is None or not hold.captured.cents:
        return
    recorded = _entries(order, PaymentHistory.Type.REFUND)
    recorded |= _entries(order, PaymentHistory.Type.REFUND_REPEATED)
    returned = _entries(order, PaymentHistory.Type.REFUND_RETURNED)
    if recorded - totals.ids_of(RefundStatus.SUCCEEDED, RefundStatus.FAILED) or (
        returned - totals.ids_of(RefundStatus.FAILED)
    ):
        return  # it was read before what is recorded already
    unrecorded = set(totals.by_id) - recorded
    for refund_id, refund in totals.by_id.items():
        if refund.state is RefundStatus.PENDING:
            _watch_pending(order, refund, now)
        elif refund_id in unrecorded and refund.dispute_id:
            unrecorded.remove(refund_id)
            _record_repeated(order, refund, now)
        elif refund_id in unrecorded:
            unrecorded.remove(refund_id)
            _record_sent(order, hold, refund, now, is_last=not unrecorded)
        if refund.state is RefundStatus.FAILED and refund_id not in returned:
            _record_returned(order, hold, refund, now)
    _set_amounts(order, totals)
    _set_statuses(order, hold, totals, now)
    _finish_refunds(order, hold, totals, now)
    request_repeated_refund(order, now=now)


def request_repeated_refund(order: PreOrder, *, now: datetime) -> None:
    """Refund again, once, what a dispute that the restaurant won had kept from the guest.

    The restaurant gave its part with the first refund, and the platform has the money.
    """
    if order.disputed_amount or not order.overtaken_amount:
        return
    refunds = PaymentOperation.objects.filter(pre_order=order, kind=OperationKind.REFUND)
    if refunds.filter(state=OperationStatus.PENDING).exists():
        return  # this is called again when it has ended
    disputes = order.disputes.filter(movements__gt=0, withdrawn=0)
    last = disputes.exclude(operations__kind=OperationKind.REFUND).order_by("opened_at").last()
    overtaken_too = Q(state=OperationStatus.FAILED, error=CHARGE_DISPUTED)
    repeats = refunds.filter(dispute__isnull=False).exclude(overtaken_too)
    repeated = repeats.aggregate(total=Sum("amount", default=0))["total"]
    due = Money.of(order.overtaken_amount) - Money.of(repeated)
    if last is None or due.cents <= 0:
        return
    operation = PaymentOperation.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=OperationKind.REFUND,
        dispute=last,
        amount=due.amount,
        refund_up_to=(Money.of(order.refunded_amount) + due).amount,
        reason_code=ReasonCode.DISPUTE_WON,
        due_at=now,
        created_at=now,
    )
    jobs.enqueue_operation(operation.pk)
    Discrepancy.objects.filter(
        pre_order=order,
        kind=Discrepancy.Kind.REFUND_FAILED,
        description__contains=OVERTAKEN,
        resolved_at=None,
    ).update(resolved_at=now)


def refund_target(operation: PaymentOperation, hold: IntentSnapshot) -> Money:
    """How much of the charge will have been refunded in total once the operation is done."""
    if operation.refund_up_to is None:
        return hold.captured
    return min(hold.captured, Money.of(operation.refund_up_to))


def sent_for(operation: PaymentOperation, hold: IntentSnapshot) -> Money:
    """What was refunded already, in any state: what failed is with the platform."""
    if hold.refunds is None:
        return hold.refunded
    if operation.dispute is None:
        return hold.refunds.total()
    dispute_id = operation.dispute.dispute_id
    same = (each for each in hold.refunds.refunds if each.dispute_id == dispute_id)
    return Money(sum(each.amount.cents for each in same))


def left_to_send(operation: PaymentOperation, hold: IntentSnapshot) -> Money:
    if operation.dispute is None:
        return refund_target(operation, hold) - sent_for(operation, hold)
    return Money.of(operation.amount or 0) - sent_for(operation, hold)


def _entries(order: PreOrder, kind: PaymentHistory.Type) -> set[str]:
    """The refunds that the ledger has under this type."""
    entries = PaymentHistory.objects.filter(
        payment_intent_id=order.payment_intent_id, transaction_type=kind
    )
    return set(entries.values_list("reference", flat=True))


def _record_sent(
    order: PreOrder, hold: IntentSnapshot, refund: RefundSnapshot, now: datetime, *, is_last: bool
) -> None:
    """Record that a refund left, with the fees that came back with it.

    The fees are split by our own rounding, and with the last refund they become what Stripe says in
    total: it doesn't document how it rounds, and a refund in its dashboard can leave the fee alone.
    """
    whole = price_of(order).fees
    sums = PaymentHistory.objects.filter(
        payment_intent_id=order.payment_intent_id, transaction_type=PaymentHistory.Type.REFUND
    ).aggregate(
        amount=Sum("amount", default=0),
        share=Sum("platform_fee_amount", default=0),
        processing=Sum("processing_fee_amount", default=0),
    )
    before = Fees(Money.of(sums["share"]), Money.of(sums["processing"]))
    sent = Money.of(sums["amount"]) + refund.amount
    after = refunded_fees(whole, charged=hold.captured, refunded=sent)
    is_disputed = bool(_entries(order, PaymentHistory.Type.TRANSFER_REVERSAL))
    # A dispute takes back its part of the fee too, which is in Stripe's total.
    if is_last and hold.refunds is not None and not is_disputed:
        after = split_fees(whole, hold.refunds.fee)
    ledger.record_refund(
        ledger_ref(order), refund.amount, after - before, reference=refund.refund_id, now=now
    )
    publish_refund(order, refund.amount, now=now)
    if refund.state is RefundStatus.SUCCEEDED:
        queue_email(order, EmailKind.REFUNDED, now=now, amount=refund.amount, again=True)


def _record_repeated(order: PreOrder, refund: RefundSnapshot, now: datetime) -> None:
    ledger.record_repeated_refund(
        ledger_ref(order), refund.amount, reference=refund.refund_id, now=now
    )
    publish_refund(order, refund.amount, now=now)
    if refund.state is RefundStatus.SUCCEEDED:
        queue_email(order, EmailKind.REFUNDED, now=now, amount=refund.amount, again=True)


def _record_returned(
    order: PreOrder, hold: IntentSnapshot, refund: RefundSnapshot, now: datetime
) -> None:
    ledger.record_returned_refund(
        ledger_ref(order), refund.amount, reference=refund.refund_id, now=now
    )
    amount = formats.money(refund.amount, hold.currency)
    if refund.reason == OVERTAKEN_BY_DISPUTE:
        # Nobody pays it another way: the guest would have it twice (decision 74). The issue is
        # closed when the dispute is lost, or when it is won and the refund is repeated.
        description = f"{amount}: {OVERTAKEN} ({refund.refund_id})"
        raise_alarm(order, Discrepancy.Kind.REFUND_FAILED, description, now=now)
        return
    why = f": {refund.reason.replace('_', ' ')}" if refund.reason else ""
    description = f"{amount}{why} ({refund.refund_id})"
    raise_alarm(order, Discrepancy.Kind.REFUND_RETURNED, description, now=now)
    queue_email(order, EmailKind.REFUND_RETURNED, now=now, amount=refund.amount, again=True)


def _watch_pending(order: PreOrder, refund: RefundSnapshot, now: datetime) -> None:
    if refund.reason == BALANCE_TOO_LOW:
        description = "A refund waits: the platform's Stripe balance is too low"
    elif now >= refund.created_at + PENDING_ALARM_AFTER:
        description = "A refund has been pending at Stripe for days"
    else:
        return
    raise_alarm(
        order, Discrepancy.Kind.REFUND_PENDING, f"{description} ({refund.refund_id})", now=now
    )


def _set_amounts(order: PreOrder, totals: RefundTotals) -> None:
    columns = {
        "refunded_amount": totals.total(RefundStatus.SUCCEEDED).amount,
        "returned_amount": totals.total(RefundStatus.FAILED).amount,
        "overtaken_amount": _overtaken(totals).amount,
    }
    if any(getattr(order, name) != value for name, value in columns.items()):
        PreOrder.objects.filter(pk=order.pk).update(**columns)
        for name, value in columns.items():
            setattr(order, name, value)


def _overtaken(totals: RefundTotals) -> Money:
    failed = (each for each in totals.refunds if each.state is RefundStatus.FAILED)
    return Money(sum(each.amount.cents for each in failed if each.reason == OVERTAKEN_BY_DISPUTE))


def _set_statuses(
    order: PreOrder, hold: IntentSnapshot, totals: RefundTotals, now: datetime
) -> None:
    if totals.total(RefundStatus.SUCCEEDED) >= hold.captured:
        set_payment_status(order, PaymentStatus.REFUNDED, now=now)
    elif order.payment_status == PaymentStatus.REFUNDED:
        returned = Cause(ReasonCode.REFUND_RETURNED)
        set_payment_status(order, PaymentStatus.CAPTURED, now=now, cause=returned)
    # All of it left the restaurant, whether or not it arrived: there is no meal for it.
    sent = totals.total(RefundStatus.SUCCEEDED, RefundStatus.FAILED)
    if sent >= hold.captured and order.status in (
        PreOrderStatus.PENDING,
        PreOrderStatus.CONFIRMED,
    ):
        set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=Cause(ReasonCode.REFUNDED))


def _finish_refunds(
    order: PreOrder, hold: IntentSnapshot, totals: RefundTotals, now: datetime
) -> None:
    """Finish the refund operations whose amount was sent, unless one of the refunds is pending."""
    if totals.total(RefundStatus.PENDING).cents:
        return
    pending = PaymentOperation.objects.filter(
        pre_order=order, kind=OperationKind.REFUND, state=OperationStatus.PENDING
    )
    for operation in pending.select_related("dispute"):
        dispute_id = operation.dispute.dispute_id if operation.dispute else ""
        same = [each for each in totals.refunds if each.dispute_id == dispute_id]
        failed = [each for each in same if each.state is RefundStatus.FAILED]
        state = OperationStatus.FAILED if failed else OperationStatus.DONE
        error = failed[-1].reason or "failed" if failed else ""
        if left_to_send(operation, hold).cents <= 0:
            PaymentOperation.objects.filter(pk=operation.pk).update(
                state=state, finished_at=now, error=error
            )
