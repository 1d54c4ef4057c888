"""Renews or captures authorizations before they expire (DECISIONS X12).

An authorization expires at `capture_before`, about seven days after it was placed, sooner for some
cards. One that would expire before its offer is settled is captured early if the minimum is already
met, and renewed otherwise. During a pause it is renewed too, but not after the deadline: a guest's
money waits no longer for us than the hold that they agreed to (decision 80).
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
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    OperationKind,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement import pauses

# Holds that expire within this time are renewed or captured …
RENEW_BEFORE_EXPIRY = timedelta(hours=24)
# … unless they last this much longer than their offer's settlement.
SETTLEMENT_MARGIN = timedelta(hours=2)


def expiring_authorizations(*, now: datetime) -> list[PreOrder]:
    """Orders whose hold expires within a day and before their offer can be settled."""
    return list(
        PreOrder.objects.filter(
            payment_status=PaymentStatus.AUTHORIZED,
            capture_before__lte=now + RENEW_BEFORE_EXPIRY,
            capture_before__lt=F("offer__deadline") + CHECKOUT_GRACE + SETTLEMENT_MARGIN,
            offer__status__in=sorted(UNDECIDED),
        )
        .counted()
        .order_by("capture_before")
    )


def renew_or_capture(order: PreOrder, *, now: datetime) -> None:
    """Create the operation that renews or captures this hold, unless it exists.

    A renewal is tried once per hold; the guest gets an email if their bank needs a confirmation.
    One that is done made another hold, perhaps in the second in which it was created: Stripe's
    times have no fractions.
    """
    with transaction.atomic():
        locked = lock_order(order.pk)
        if (
            locked.payment_status != PaymentStatus.AUTHORIZED
            or locked.capture_before != order.capture_before
            or locked.offer.status not in UNDECIDED
        ):
            return
        paused = pauses.decision_pause(locked.offer, now=now, automatic=True) is not None
        if paused and now >= locked.offer.deadline:
            return
        if not paused and is_met(locked.offer, ordered_portions(locked.offer)):
            request_operation(locked, OperationKind.CAPTURE, now=now)
        elif not (
            PaymentOperation.objects.filter(
                pre_order=locked,
                kind=OperationKind.RENEW,
                quantity=None,
                created_at__gte=locked.authorized_at,
            )
            .exclude(state=OperationStatus.DONE)
            .exists()
        ):
            request_operation(locked, OperationKind.RENEW, now=now)
