"""Reads of one order that several use cases share."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.querysets import FULL_REFUND_Q
from apps.preorders.models.states import (
    GUEST,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.restaurants.models import Restaurant

PLATFORM_NAME = "Fully Booked"


def order_by_reference(reference: str) -> PreOrder | None:
    """An order by its id or its checkout session's id; both are unguessable (DECISIONS X33)."""
    orders = PreOrder.objects.select_related(
        "offer__restaurant", "offer__alternative_dish", "sold__photo", "pickup_slot"
    )
    try:
        return orders.filter(pk=UUID(reference)).first()
    except ValueError:
        return orders.filter(checkout_session_id=reference).first()


def is_being_refunded(order: PreOrder) -> bool:
    """Whether a refund of all that is left was requested and not carried out yet.

    Read from the order if it was loaded with `order_list.for_people`.
    """
    if hasattr(order, "being_refunded"):
        return bool(order.being_refunded)
    return order.operations.filter(FULL_REFUND_Q, state=OperationStatus.PENDING).exists()


def released_first(order: PreOrder) -> bool:
    """Whether the guest let the order's hold go to make room for a new one (decision 50)."""
    return order.operations.filter(
        kind=OperationKind.RENEW, reason_code=ReasonCode.RELEASED_FIRST
    ).exists()


def checkout_begun_at(order: PreOrder) -> datetime:
    """When the guest began the order's checkout: with the order, or by letting its hold go for a
    new one (decision 50)."""
    released = order.transitions.filter(
        field="payment_status", new=PaymentStatus.UNPAID, reason_code=ReasonCode.RELEASED_FIRST
    )
    last = released.order_by("-pk").first()
    return last.at if last else order.created_at


def was_replaced(order: PreOrder, intent_id: str) -> bool:
    """Whether this intent was the order's own and was replaced."""
    return order.operations.filter(kind=OperationKind.RENEW, reference=intent_id).exists()


def ended_too_late(order: PreOrder, operations: Iterable[PaymentOperation]) -> bool:
    """Whether the order was released because its day was over before the card was charged, or
    because staff gave up charging it.

    `operations` are the order's own.
    """
    decided_at = order.offer.decided_at
    if decided_at is not None and decided_at >= order.offer.serving_ends:
        return True
    ended = (ReasonCode.SERVE_DATE_OVER, ReasonCode.GIVEN_UP)
    return any(operation.error in ended for operation in operations)


def was_sold_out(order: PreOrder) -> bool:
    """Whether its portions were gone when its card was held, or about to be (decision 51)."""
    return _ended_by(order, ReasonCode.SOLD_OUT)


def had_too_many_declines(order: PreOrder) -> bool:
    """Whether its checkout ended because of declined cards."""
    return _ended_by(order, ReasonCode.TOO_MANY_DECLINES)


@dataclass(frozen=True, slots=True)
class Cancellation:
    """When and why a special was canceled, for its guests: empty if it wasn't. `with_special`: an
    order ended with its special. `by_platform`: we canceled it, with its restaurant's suspension.
    `by_guest`: a guest canceled their own order. `by_somebody`: it didn't end by itself."""

    at: datetime | None = None
    reason: str = ""
    with_special: bool = False
    by_platform: bool = False
    by_guest: bool = False
    by_somebody: bool = False

    def speaker(self, restaurant: Restaurant) -> str:
        """Who gives the reason."""
        return PLATFORM_NAME if self.by_platform else restaurant.name


def cancellation_of_order(order: PreOrder) -> Cancellation:
    """Who canceled this order; and why, if it ended with its special."""
    if order.status != PreOrderStatus.CANCELLED:
        return Cancellation()
    return _cancellation(order.transitions.filter(new=PreOrderStatus.CANCELLED))


def was_canceled_alone(order: PreOrder) -> bool:
    """Whether a person canceled just this order: its guest, or the restaurant. Not if it ended with
    its special, or because of its payment."""
    if order.status != PreOrderStatus.CANCELLED:
        return False
    ended = order.transitions.filter(field="status", new=PreOrderStatus.CANCELLED, reason_code="")
    return ended.exclude(actor="").exists()


def cancellation_of_offer(offer: SpecialOffer) -> Cancellation:
    """The special's cancellation."""
    return _cancellation(offer.transitions.all())


def _cancellation(transitions: QuerySet[Any]) -> Cancellation:
    found = transitions.filter(field="status").order_by("-pk")
    row = found.values_list("at", "reason", "reason_code", "actor").first()
    if row is None:
        return Cancellation()
    at, reason, code, actor = row
    with_special = code in (ReasonCode.OFFER_CANCELLED, ReasonCode.RESTAURANT_SUSPENDED)
    return Cancellation(
        at=at,
        reason=reason if with_special else "",
        with_special=with_special,
        by_platform=code == ReasonCode.RESTAURANT_SUSPENDED,
        by_guest=actor == GUEST,
        by_somebody=bool(actor),
    )


def _ended_by(order: PreOrder, code: ReasonCode) -> bool:
    ended = PreOrderStatus.CANCELLED
    if order.status != ended:
        return False
    return order.transitions.filter(field="status", new=ended, reason_code=code).exists()


def slot_label(order: PreOrder) -> str:
    """The pickup time, such as `5:30–6:00 PM`; empty if the guest can come at any time."""
    slot = order.pickup_slot
    if slot is None:
        return ""
    return formats.span(slot.starts_at, slot.ends_at, order.offer.restaurant.zone)


# https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card-brand
_BRANDS = {
    "amex": "American Express",
    "jcb": "JCB",
    "unionpay": "UnionPay",
    "eftpos_au": "eftpos",
    "unknown": "",
}


def card_of(order: PreOrder) -> str:
    """`Visa ending in 4242`, the card that is held or was charged; empty if none was, or once the
    guest is erased."""
    brand = _BRANDS.get(order.card_brand, order.card_brand.replace("_", " ").title())
    facts = {"brand": brand or _("Card"), "digits": order.card_digits}
    return _("%(brand)s ending in %(digits)s") % facts if order.card_digits else ""
