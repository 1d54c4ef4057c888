"""Order state transitions, payment operations, and email outbox rows.

Callers hold the order's lock.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from apps.common.errors import FieldError, Invalid
from apps.common.money import Money
from apps.common.transitions import UNEXPLAINED, Cause, transition, transition_all
from apps.preorders.core import jobs
from apps.preorders.core.webhook_events import publish_order_status, publish_payment_status
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    ORDER_ALLOWED,
    PAYMENT_ALLOWED,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)

MAX_REASON_LENGTH = 120


def requested(actor: str, reason: str = "") -> Cause:
    """The cause of what a person requested, with their reason on one line.

    Raises Invalid, naming the field `reason`, if that is too long.
    """
    words = " ".join(reason.split())
    if len(words) > MAX_REASON_LENGTH:
        message = f"Use at most {MAX_REASON_LENGTH} characters for the reason."
        raise Invalid.because([FieldError("reason", message)])
    return Cause(reason=words, actor=actor)


def set_order_statuses(
    orders: Sequence[PreOrder], new: PreOrderStatus, *, now: datetime, cause: Cause = UNEXPLAINED
) -> None:
    """`set_order_status` for several orders: all of them or none."""
    changed = transition_all(orders, "status", new, allowed=ORDER_ALLOWED, now=now, cause=cause)
    publish_order_status(changed, new, now=now)


def set_payment_statuses(
    orders: Sequence[PreOrder],
    new: PaymentStatus,
    *,
    now: datetime,
    cause: Cause = UNEXPLAINED,
    **also: object,
) -> None:
    """`set_payment_status` for several orders: all of them or none."""
    changed = transition_all(
        orders, "payment_status", new, allowed=PAYMENT_ALLOWED, now=now, cause=cause, **also
    )
    publish_payment_status(changed, new, now=now)


def set_order_status(
    order: PreOrder, new: PreOrderStatus, *, now: datetime, cause: Cause = UNEXPLAINED
) -> bool:
    """Set the order's status; False if it has it already. Raises as `transition` does."""
    has_changed = transition(order, "status", new, allowed=ORDER_ALLOWED, now=now, cause=cause)
    if has_changed:
        publish_order_status([order], new, now=now)
    return has_changed


def set_payment_status(
    order: PreOrder,
    new: PaymentStatus,
    *,
    now: datetime,
    cause: Cause = UNEXPLAINED,
    **also: object,
) -> bool:
    """Set the payment status, and the columns in `also`; False if it has it already.

    Raises as `transition` does.
    """
    has_changed = transition(
        order, "payment_status", new, allowed=PAYMENT_ALLOWED, now=now, cause=cause, **also
    )
    if has_changed:
        publish_payment_status([order], new, now=now)
    return has_changed


def drop_renewals(orders: QuerySet[PreOrder], *, now: datetime, why: str) -> None:
    """Stop pending renewals, so that the existing hold is the one that gets settled.

    A renewed hold that arrives later is released as a stray. A renewal in its clean-up stage
    continues, because it still has to release the old hold.
    """
    PaymentOperation.objects.filter(
        pre_order__in=orders, kind=OperationKind.RENEW, state=OperationStatus.PENDING
    ).exclude(stage=OperationStage.CLEAN_UP).update(
        state=OperationStatus.FAILED, finished_at=now, error=why
    )


def request_operation(
    order: PreOrder, kind: OperationKind, *, now: datetime, cause: Cause = UNEXPLAINED
) -> PaymentOperation:
    """Create a payment operation for the order, once, and queue it.

    Capture and release exclude each other (a constraint): the first one decided stays and is
    returned. `cause` is why a person requested it. For refunds, which can be several, use
    `request_refund`.
    """
    settling = {OperationKind.CAPTURE, OperationKind.RELEASE}
    same = settling if kind in settling else {kind}
    existing = PaymentOperation.objects.filter(pre_order=order, kind__in=same)
    if kind == OperationKind.RENEW:
        existing = existing.filter(state=OperationStatus.PENDING)
    operation = existing.first()
    if operation is None:
        if kind in settling:
            orders = PreOrder.objects.filter(pk=order.pk)
            drop_renewals(orders, now=now, why=f"{kind} was decided")
        operation = PaymentOperation.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=kind,
            **cause.columns,
            due_at=now,
            created_at=now,
        )
        jobs.enqueue_operation(operation.pk)
    return operation


def request_refund(
    order: PreOrder, *, up_to: Money | None, now: datetime, cause: Cause = UNEXPLAINED
) -> PaymentOperation | None:
    """Create a refund operation that brings the order's total refund to `up_to` (None: everything).

    A pending refund is increased to this amount instead of adding a second one. Returns None if
    this much was already refunded.
    """
    pending = PaymentOperation.objects.filter(
        pre_order=order, kind=OperationKind.REFUND, state=OperationStatus.PENDING
    ).first()
    back = Money.of(order.refunded_amount) + Money.of(order.returned_amount)
    if up_to is not None and up_to >= Money.of(order.total_amount):
        up_to = None
    if up_to is not None and up_to <= back:
        return None
    facts: dict[str, Any] = {
        "amount": None if up_to is None else (up_to - back).amount,
        "refund_up_to": None if up_to is None else up_to.amount,
    }
    if pending is None:
        pending = PaymentOperation.objects.create(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=OperationKind.REFUND,
            **cause.columns,
            due_at=now,
            created_at=now,
            **facts,
        )
    elif pending.refund_up_to is not None and (
        up_to is None or Money.of(pending.refund_up_to) < up_to
    ):
        # The amount changes, so Stripe needs another idempotency key.
        PaymentOperation.objects.filter(pk=pending.pk).update(
            **facts, due_at=now, epoch=F("epoch") + 1
        )
    jobs.enqueue_operation(pending.pk)
    return pending


def finish_operations(
    orders: Sequence[PreOrder],
    kinds: set[OperationKind],
    state: OperationStatus,
    *,
    now: datetime,
    error: str = "",
) -> int:
    """Finish the orders' pending operations of these kinds; returns their number."""
    return PaymentOperation.objects.filter(
        pre_order__in=[order.pk for order in orders],
        kind__in=sorted(kinds),
        state=OperationStatus.PENDING,
    ).update(state=state, finished_at=now, error=error[:255])
