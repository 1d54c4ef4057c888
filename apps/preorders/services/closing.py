"""The deadline: close, hear every checkout out, decide once (design §3).

`close_offer` may be called at any time, by any number at once. It decides in one transaction under
the offer's lock; what is to be done with the money is written down there and carried out elsewhere.
"""

import logging
from datetime import datetime
from uuid import UUID

from django.db import transaction

from apps.billing.gateway import GatewayError
from apps.common.transitions import transition
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.states import ALLOWED, OfferStatus
from apps.preorders import handoff
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.services.checkout import finish_checkout
from apps.preorders.services.moves import drop_renewals
from apps.preorders.services.payments import GRACE, settle_captured
from apps.preorders.services.portions import recount
from apps.preorders.states import OperationKind, OperationState, PaymentStatus

logger = logging.getLogger(__name__)


def due_offers(*, now: datetime, limit: int = 200) -> list[SpecialOffer]:
    """Offers past their deadline and not decided, the longest waiting first."""
    return list(SpecialOffer.objects.due(now).order_by("deadline")[:limit])


def close_offer(offer_id: UUID, *, now: datetime) -> OfferStatus:
    """Take an offer whose deadline has passed as far as it can go now; returns its status.

    `closing` means checkouts begun before the deadline are still open: ask again. After the grace
    (DECISIONS X22) they are closed at the processor. While the processor cannot say what became of
    one, nothing is decided.
    """
    status = _begin_closing(offer_id, now)
    if status == OfferStatus.CLOSING and _hear_out_checkouts(offer_id, now):
        status = _decide(offer_id, now)
    return status


def _begin_closing(offer_id: UUID, now: datetime) -> OfferStatus:
    with transaction.atomic():
        offer = lock_offer(offer_id)
        if offer.status == OfferStatus.ACTIVE and now >= offer.deadline:
            transition(offer, "status", OfferStatus.CLOSING, allowed=ALLOWED, now=now)
        return OfferStatus(offer.status)


def _hear_out_checkouts(offer_id: UUID, now: datetime) -> bool:
    """Ask the processor about every order still in checkout; True when none is left."""
    open_orders = PreOrder.objects.filter(offer_id=offer_id).in_checkout().select_related("offer")
    for order in open_orders:
        try:
            finish_checkout(order, now=now, close=now >= order.offer.deadline + GRACE)
        except GatewayError as error:
            logger.warning("checkout of order %s cannot be read: %s", order.pk, error)
    return not PreOrder.objects.filter(offer_id=offer_id).in_checkout().exists()


def _decide(offer_id: UUID, now: datetime) -> OfferStatus:
    """Count the booked portions and write down every order's one outcome."""
    with transaction.atomic():
        offer = lock_offer(offer_id)
        if offer.status != OfferStatus.CLOSING:
            return OfferStatus(offer.status)
        orders = PreOrder.objects.filter(offer=offer)
        if orders.in_checkout().exists():
            return OfferStatus.CLOSING
        booked = list(orders.booked().select_for_update(of=("self",)).order_by("pk"))
        portions = sum(order.quantity for order in booked)
        met = portions >= offer.min_preorders
        outcome = OfferStatus.SUCCEEDED if met else OfferStatus.FAILED
        transition(
            offer,
            "status",
            outcome,
            allowed=ALLOWED,
            now=now,
            reason=f"{portions} of {offer.min_preorders} portions",
            decided_at=now,
            booked_portions=portions,
        )
        drop_renewals(orders, now=now, why="the offer was decided")
        _write_operations(offer, booked, met=met, now=now)
        recount(offer)
        return outcome


def _write_operations(
    offer: SpecialOffer, booked: list[PreOrder], *, met: bool, now: datetime
) -> None:
    kind = OperationKind.CAPTURE if met else OperationKind.RELEASE
    held = [order for order in booked if order.payment_status == PaymentStatus.AUTHORIZED]
    PaymentOperation.objects.bulk_create(
        [
            PaymentOperation(
                restaurant_id=offer.restaurant_id,
                pre_order=order,
                kind=kind,
                due_at=now,
                created_at=now,
            )
            for order in held
        ],
        # A hold near its end may have its capture already (services.holds).
        ignore_conflicts=True,
    )
    written = PaymentOperation.objects.filter(
        pre_order__offer=offer, kind__in=SETTLEMENT_KINDS, state=OperationState.PENDING
    )
    if not met:
        # An early capture that is still being tried, by a pay link even, is called off at once.
        written.update(due_at=now)
    handoff.run_operations(
        list(written.order_by("pk").values_list("pk", flat=True)),
        restaurant_id=offer.restaurant_id,
    )
    for order in booked:
        if order.payment_status == PaymentStatus.CAPTURED:
            order.offer = offer
            settle_captured(order, now=now)
