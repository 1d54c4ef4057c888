"""What waits while settlement is paused or stuck: specials, their holds, payment operations.

For staff, operators, and alarms: act as the platform to see every restaurant's. Lists are short and
come with the number of all, so that a page stays readable when everything waits.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, QuerySet

from apps.offers.models import SpecialOffer
from apps.offers.states import EXPIRED, OfferStatus
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.querysets import HELD_OR_CAPTURED_Q
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    OperationStage,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement import pauses

# An offer is decided seconds after its deadline, or when the grace of open checkouts is over.
OVERDUE_AFTER = CHECKOUT_GRACE + timedelta(minutes=1)
EXPIRING_SOON = timedelta(hours=24)
SHOWN = 50  # rows of a list


@dataclass(frozen=True, slots=True)
class ExpirationStats:
    """Figures of the expiration page: specials that are open, that close within a day, and that
    have closed; orders with a held card that wait for their outcome."""

    active_specials: int
    expiring_soon: int
    expired: int
    total_pending_orders: int


def expiration_stats(*, now: datetime) -> ExpirationStats:
    """Of all restaurants."""
    is_open = Q(status=OfferStatus.ACTIVE, deadline__gt=now)
    figures = SpecialOffer.objects.aggregate(
        active_specials=Count("pk", filter=is_open),
        expiring_soon=Count("pk", filter=is_open & Q(deadline__lte=now + EXPIRING_SOON)),
        expired=Count(
            "pk",
            filter=Q(status__in=sorted(EXPIRED)) | Q(status=OfferStatus.ACTIVE, deadline__lte=now),
        ),
    )
    pending = PreOrder.objects.filter(status=PreOrderStatus.PENDING).counted()
    return ExpirationStats(**figures, total_pending_orders=pending.count())


def overdue_offers(*, now: datetime, late_by: timedelta = OVERDUE_AFTER) -> QuerySet[Any, Any]:
    """Undecided offers whose deadline passed at least `late_by` ago, oldest deadline first.

    Each with its restaurant, the number of `held_orders`, and `first_hold_ends`: when the first of
    their holds ends, with which its order is lost.
    """
    held = Q(
        pre_orders__payment_status=PaymentStatus.AUTHORIZED,
        pre_orders__status=PreOrderStatus.PENDING,
    )
    return (
        SpecialOffer.objects.due(now - late_by)
        .select_related("restaurant")
        .annotate(
            held_orders=Count("pre_orders", filter=held),
            first_hold_ends=Min("pre_orders__capture_before", filter=held),
        )
        .order_by("deadline", "pk")
    )


def waiting_operations() -> QuerySet[PaymentOperation]:
    """Captures and releases that aren't carried out yet, longest wait first; without those that
    wait for the guest to use a payment link."""
    return (
        PaymentOperation.objects.filter(kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING)
        .exclude(stage=OperationStage.PAY_LINK)
        .select_related("pre_order__offer__restaurant")
        .order_by("created_at", "pk")
    )


def ending_holds(*, now: datetime) -> QuerySet[PreOrder]:
    """Orders whose settlement a pause holds back, by when their hold ends (`capture_before`).

    When a hold ends before the pause, its order ends uncharged if the special is undecided;
    otherwise the card is charged again, once, or the guest gets a link to pay.
    """
    active = pauses.settlement_pauses(now=now)
    offers = pauses.paused_offers(active, automatic=True)
    operations = pauses.held_back(active)
    waiting = Q(pk__in=[])
    if offers is not None:
        undecided = SpecialOffer.objects.due(now).filter(offers)
        waiting |= Q(offer__in=undecided.values("pk"))
    if operations is not None:
        pending = PaymentOperation.objects.filter(operations, state=OperationStatus.PENDING)
        waiting |= Q(pk__in=pending.values("pre_order"))
    return (
        PreOrder.objects.filter(
            waiting & HELD_OR_CAPTURED_Q, payment_status=PaymentStatus.AUTHORIZED
        )
        .select_related("offer__restaurant")
        .order_by("capture_before", "pk")
    )
