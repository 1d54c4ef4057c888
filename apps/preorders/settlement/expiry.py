"""Holds die: see to them before they do (DECISIONS X12).

A card's hold ends at `capture_before`, about seven days after it was placed and sooner for some
cards. One that would not live until its offer is settled is captured early when the minimum is met
already, and placed anew otherwise.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from apps.offers.states import UNDECIDED
from apps.preorders.core.decision import is_met
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import ordered_portions
from apps.preorders.core.transitions import request_operation
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, PaymentStatus
from apps.preorders.settlement.payments import GRACE

# Settle or renew this long before the hold ends …
RENEWAL_LEAD = timedelta(hours=24)
# … unless it outlives its offer's settlement by this much.
EXPIRY_MARGIN = timedelta(hours=2)


def expiring_authorizations(*, now: datetime) -> list[PreOrder]:
    """Holds that end within a day and before their undecided offer can be settled."""
    return list(
        PreOrder.objects.filter(
            payment_status=PaymentStatus.AUTHORIZED,
            capture_before__lte=now + RENEWAL_LEAD,
            capture_before__lt=F("offer__deadline") + GRACE + EXPIRY_MARGIN,
            offer__status__in=sorted(UNDECIDED),
        )
        .booked()
        .order_by("capture_before")
    )


def renew_or_capture(order: PreOrder, *, now: datetime) -> None:
    """Write down what saves this hold, unless that is written already.

    A renewal is tried once per hold: the diner is asked by mail when their bank wants them.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if (
            locked.payment_status != PaymentStatus.AUTHORIZED
            or locked.capture_before != order.capture_before
            or locked.offer.status not in UNDECIDED
        ):
            return
        if is_met(locked.offer, ordered_portions(locked.offer)):
            request_operation(locked, OperationKind.CAPTURE, now=now)
        elif not PaymentOperation.objects.filter(
            pre_order=locked,
            kind=OperationKind.RENEW,
            quantity=None,
            created_at__gte=locked.authorized_at,
        ).exists():
            request_operation(locked, OperationKind.RENEW, now=now)
