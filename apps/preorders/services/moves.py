"""The small moves every story of an order is made of. The caller holds the order's lock."""

from datetime import datetime

from django.db.models import QuerySet

from apps.common.transitions import transition
from apps.preorders import handoff
from apps.preorders.models import OrderMail, PaymentOperation, PreOrder
from apps.preorders.states import (
    ORDER_ALLOWED,
    PAYMENT_ALLOWED,
    MailKind,
    OperationKind,
    OperationStage,
    OperationState,
    PaymentStatus,
    PreOrderStatus,
)


def move_order(order: PreOrder, new: PreOrderStatus, *, now: datetime, reason: str = "") -> bool:
    return transition(order, "status", new, allowed=ORDER_ALLOWED, now=now, reason=reason)


def move_payment(
    order: PreOrder, new: PaymentStatus, *, now: datetime, reason: str = "", **also: object
) -> bool:
    return transition(
        order, "payment_status", new, allowed=PAYMENT_ALLOWED, now=now, reason=reason, **also
    )


def drop_renewals(orders: QuerySet[PreOrder], *, now: datetime, why: str) -> None:
    """From here on the hold that exists is the one that is settled: a renewal that still comes in
    is given back as a stray. One whose new hold is in place goes on to give back the old."""
    PaymentOperation.objects.filter(
        pre_order__in=orders, kind=OperationKind.RENEW, state=OperationState.PENDING
    ).exclude(stage=OperationStage.CLEAN_UP).update(
        state=OperationState.FAILED, finished_at=now, error=why
    )


def order_operation(order: PreOrder, kind: OperationKind, *, now: datetime) -> PaymentOperation:
    """Write down what is to be done with the order's money, once, and hand it to a worker.

    Capture and release exclude each other: whichever was decided first stays (the database holds
    to it), and that row is returned.
    """
    settling = {OperationKind.CAPTURE, OperationKind.RELEASE}
    same = settling if kind in settling else {kind}
    existing = PaymentOperation.objects.filter(pre_order=order, kind__in=same)
    if kind == OperationKind.RENEW:
        existing = existing.filter(state=OperationState.PENDING)
    operation = existing.first()
    if operation is None:
        if kind in settling:
            orders = PreOrder.objects.filter(pk=order.pk)
            drop_renewals(orders, now=now, why=f"{kind} was decided")
        operation = PaymentOperation.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=kind,
            due_at=now,
            created_at=now,
        )
        handoff.run_operation(operation.pk)
    return operation


def finish_operations(
    order: PreOrder,
    kinds: set[OperationKind],
    state: OperationState,
    *,
    now: datetime,
    error: str = "",
) -> bool:
    """Close the order's pending operations of these kinds; False when there were none."""
    closed = PaymentOperation.objects.filter(
        pre_order=order, kind__in=sorted(kinds), state=OperationState.PENDING
    ).update(state=state, finished_at=now, error=error[:255])
    return closed > 0


def queue_letter(order: PreOrder, kind: MailKind, *, now: datetime, action_url: str = "") -> None:
    """Write the letter down with the decision that causes it; each kind once per order."""
    if OrderMail.objects.filter(pre_order=order, kind=kind).exists():
        return
    letter = OrderMail.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=kind,
        due_at=now,
        action_url=action_url,
    )
    handoff.send_mail(letter.pk)
