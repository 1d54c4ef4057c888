"""What needs a person: refusals that aren't about the card, and settlement that paused itself.

An alarm is a `Discrepancy` row and an error in the log. A row is written once while it is open; the
reconciler closes it once the order has no pending operation, which means that Stripe accepted it.
"""

import logging
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from apps.billing.account_alarms import open_issue
from apps.billing.models import Discrepancy
from apps.preorders.models import PaymentOperation, PreOrder, PreOrderTransition
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q
from apps.preorders.models.states import OperationStatus, PaymentStatus, ReasonCode

logger = logging.getLogger(__name__)

CARD_TESTING_SHOWN = timedelta(days=1)
# The special was decided without this order, because Stripe couldn't tell how its checkout ended.
DECIDED_WITHOUT_Q = Q(
    Exists(
        PreOrderTransition.objects.filter(
            pre_order=OuterRef("pk"), reason_code=ReasonCode.CHECKOUT_UNREADABLE
        )
    )
)


def raise_alarm(
    order: PreOrder, kind: Discrepancy.Kind, description: str, *, now: datetime
) -> None:
    """Record that a person must look at this order's payment, unless that is open already."""
    description = description[:255]
    open_rows = Discrepancy.objects.filter(pre_order=order, kind=kind, resolved_at=None)
    if open_rows.filter(description=description).exists():
        return
    logger.error("order %s: %s", order.pk, description)
    open_issue(
        order.restaurant_id,
        kind,
        description,
        now=now,
        pre_order_id=order.pk,
        intent_id=order.payment_intent_id or "",
    )


def was_refund_returned(order: PreOrder) -> bool:
    """Whether a refund is or was to be paid another way. One that failed because the guest had
    disputed the charge isn't: their bank paid them."""
    return Discrepancy.objects.filter(
        pre_order=order, kind=Discrepancy.Kind.REFUND_RETURNED
    ).exists()


def is_refund_owed(order: PreOrder) -> bool:
    """Whether the guest's bank returned a refund that nobody has paid another way yet."""
    return Discrepancy.objects.filter(
        pre_order=order, kind=Discrepancy.Kind.REFUND_RETURNED, resolved_at=None
    ).exists()


def is_refund_stuck(order: PreOrder) -> bool:
    """Whether a refund that the guest was promised wasn't made, and a person decides."""
    return Discrepancy.objects.filter(
        pre_order=order, kind=Discrepancy.Kind.REFUND_FAILED, resolved_at=None
    ).exists()


def is_refund_delayed(order: PreOrder) -> bool:
    """Whether a refund waits for days, or for the platform's balance, and a person knows of it."""
    delayed = (Discrepancy.Kind.REFUND_PENDING, Discrepancy.Kind.REFUSED)
    return Discrepancy.objects.filter(pre_order=order, kind__in=delayed, resolved_at=None).exists()


def close_alarms(*, now: datetime) -> None:
    """Close the alarms of orders that no operation waits for anymore."""
    waiting = PaymentOperation.objects.filter(
        pre_order=OuterRef("pre_order"), state=OperationStatus.PENDING
    )
    passing = (
        Discrepancy.Kind.REFUSED,
        Discrepancy.Kind.PAUSED,
        Discrepancy.Kind.REFUND_PENDING,
    )
    Discrepancy.objects.filter(~Exists(waiting), kind__in=passing, resolved_at=None).update(
        resolved_at=now
    )
    # Of a checkout whose special was decided without it, until it was read or a person closes it.
    unsettled = PreOrder.objects.filter(CHECKOUT_OPEN_Q | DECIDED_WITHOUT_Q).values("pk")
    Discrepancy.objects.filter(kind=Discrepancy.Kind.UNREADABLE, resolved_at=None).exclude(
        pre_order__in=unsettled
    ).update(resolved_at=now)
    Discrepancy.objects.filter(
        kind=Discrepancy.Kind.CARD_TESTING, found_at__lt=now - CARD_TESTING_SHOWN, resolved_at=None
    ).update(resolved_at=now)
    # A refund that failed is over once all of the charge was refunded, here or in the dashboard.
    Discrepancy.objects.filter(
        kind=Discrepancy.Kind.REFUND_FAILED,
        pre_order__payment_status=PaymentStatus.REFUNDED,
        resolved_at=None,
    ).update(resolved_at=now)
