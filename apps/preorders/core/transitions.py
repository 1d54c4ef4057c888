"""The small moves every story of an order is made of. The caller holds the order's lock."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet

from apps.common.errors import FieldError, Invalid
from apps.common.money import Money
from apps.common.transitions import transition, transition_all
from apps.preorders.core import jobs
from apps.preorders.models import OrderEmail, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    ORDER_ALLOWED,
    PAYMENT_ALLOWED,
    EmailKind,
    OperationKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)

MAX_REASON_LENGTH = 120


def reason_of(reason: str, by: str) -> str:
    """Why something was done and who asked for it, as operations and the audit trail keep it.

    Raises Invalid, naming `reason`, for one too long to be kept whole.
    """
    words = " ".join(reason.split())
    if len(words) > MAX_REASON_LENGTH:
        message = f"Give the reason in {MAX_REASON_LENGTH} characters or fewer."
        raise Invalid.because([FieldError("reason", message)])
    who = f"by {by[:50]}"
    return f"{words} ({who})" if words else who


def set_order_statuses(
    orders: Sequence[PreOrder], new: PreOrderStatus, *, now: datetime, reason: str = ""
) -> None:
    transition_all(orders, "status", new, allowed=ORDER_ALLOWED, now=now, reason=reason)


def set_payment_statuses(
    orders: Sequence[PreOrder],
    new: PaymentStatus,
    *,
    now: datetime,
    reason: str = "",
    **also: object,
) -> None:
    transition_all(
        orders, "payment_status", new, allowed=PAYMENT_ALLOWED, now=now, reason=reason, **also
    )


def set_order_status(
    order: PreOrder, new: PreOrderStatus, *, now: datetime, reason: str = ""
) -> bool:
    return transition(order, "status", new, allowed=ORDER_ALLOWED, now=now, reason=reason)


def set_payment_status(
    order: PreOrder, new: PaymentStatus, *, now: datetime, reason: str = "", **also: object
) -> bool:
    return transition(
        order, "payment_status", new, allowed=PAYMENT_ALLOWED, now=now, reason=reason, **also
    )


def drop_renewals(orders: QuerySet[PreOrder], *, now: datetime, why: str) -> None:
    """From here on the hold that exists is the one that is settled: a renewal that still comes in
    is given back as a stray. One whose new hold is in place goes on to give back the old."""
    PaymentOperation.objects.filter(
        pre_order__in=orders, kind=OperationKind.RENEW, state=OperationStatus.PENDING
    ).exclude(stage=OperationStage.CLEAN_UP).update(
        state=OperationStatus.FAILED, finished_at=now, error=why
    )


def request_operation(
    order: PreOrder, kind: OperationKind, *, now: datetime, reason: str = ""
) -> PaymentOperation:
    """Write down what is to be done with the order's money, once, and hand it to a worker.

    Capture and release exclude each other: whichever was decided first stays (the database holds
    to it), and that row is returned. `reason` is why a person asked for it. Refunds, of which there
    may be several, are `order_refund`'s.
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
            reason=reason,
            due_at=now,
            created_at=now,
        )
        jobs.enqueue_operation(operation.pk)
    return operation


def request_refund(
    order: PreOrder, *, up_to: Money | None, now: datetime, reason: str = ""
) -> PaymentOperation | None:
    """Write down that `up_to` of the order's charge is to have gone back in all, None: all of it.

    A refund under way is never joined by another: it is raised to this, if it was for less. None
    when so much has gone back already.
    """
    pending = PaymentOperation.objects.filter(
        pre_order=order, kind=OperationKind.REFUND, state=OperationStatus.PENDING
    ).first()
    back = Money.of(order.refunded_amount)
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
            reason=reason,
            due_at=now,
            created_at=now,
            **facts,
        )
    elif pending.refund_up_to is not None and (
        up_to is None or Money.of(pending.refund_up_to) < up_to
    ):
        # What is asked of the processor changes, so the key does too.
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
    """Close the orders' pending operations of these kinds; returns how many there were."""
    return PaymentOperation.objects.filter(
        pre_order__in=[order.pk for order in orders],
        kind__in=sorted(kinds),
        state=OperationStatus.PENDING,
    ).update(state=state, finished_at=now, error=error[:255])


def queue_email(
    order: PreOrder,
    kind: EmailKind,
    *,
    now: datetime,
    action_url: str = "",
    amount: Money | None = None,
    again: bool = False,
    after: timedelta = timedelta(),
) -> OrderEmail | None:
    """Write the letter down with the decision that causes it; each kind once per order, or, with
    `again`, once more than there are. None when it was written before, or nobody can be written to:
    an order by phone may have no address. `amount` is the part refunded it is about. One that is to
    be sent only `after` a while is found by the sweep, and dropped if it is of no use then."""
    if not order.customer_email:
        return None
    same = OrderEmail.objects.filter(pre_order=order, kind=kind).order_by("-number")
    last = same.values_list("number", flat=True).first()
    if last and not again:
        return None
    letter = OrderEmail.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=kind,
        number=(last or 0) + 1,
        due_at=now + after,
        action_url=action_url,
        amount=None if amount is None else amount.amount,
    )
    if not after:
        jobs.send_email(letter.pk)
    return letter


def queue_emails(orders: Sequence[PreOrder], kind: EmailKind, *, now: datetime) -> None:
    """`queue_email` for several orders, once for each."""
    written = set(
        OrderEmail.objects.filter(
            pre_order__in=[order.pk for order in orders], kind=kind
        ).values_list("pre_order_id", flat=True)
    )
    letters = [
        OrderEmail(
            restaurant_id=order.restaurant_id, pre_order=order, kind=kind, number=1, due_at=now
        )
        for order in orders
        if order.customer_email and order.pk not in written
    ]
    OrderEmail.objects.bulk_create(letters)
    for letter in letters:
        jobs.send_email(letter.pk)
