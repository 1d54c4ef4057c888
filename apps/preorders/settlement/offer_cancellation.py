"""Cancels a special before its deadline: every hold is released, and every guest is told why.

Everything is decided in one transaction under the offer's lock: the orders end, their payment
operations and emails are written. Workers carry them out; if a message or a worker is lost, the
sweeps find the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid
from apps.common.transitions import Cause, transition
from apps.integrations.event_types import EventType
from apps.offers.locks import lock_own_offer
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.states import ALLOWED, UNDECIDED, OfferStatus
from apps.offers.webhook_events import publish_special_event
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import EMAILS_PER_MESSAGE, queue_emails
from apps.preorders.core.transitions import (
    drop_renewals,
    request_refund,
    requested,
    set_order_statuses,
)
from apps.preorders.core.waitlist import end_waitlist
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.restaurants.models import Restaurant

REASON_NEEDED = "Tell your guests why. They read it in their email."
DEADLINE_PASSED = (
    "The deadline of {name} has passed, so you can't cancel it. If it goes ahead, you can refund "
    "its orders."
)


DETAIL_LENGTH = 300  # characters of a line of the change log


@dataclass(frozen=True, slots=True)
class CancelledOffer:
    """A canceled offer, and how many orders ended with it."""

    offer: SpecialOffer
    orders: int


def cancel_offer(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    reason: str,
    by: str,
    now: datetime,
    is_reason_public: bool = False,
    by_platform: bool = False,
) -> CancelledOffer:
    """Cancel the offer with all its orders; it stays in the history as deleted (DECISIONS X16).

    Held cards are released, cards that were charged early are refunded in full, open checkouts are
    closed, and a hold placed on one nevertheless is released as late. Every guest with an email
    address is told, with the restaurant's `reason`, which the special's page says too if
    `is_reason_public`. `by` is the person's name. Repeating it changes nothing and returns the
    same.

    Raises NotFound for another restaurant's offer, Invalid if the reason is missing or too long,
    and Conflict once the deadline has passed. `by_platform`, with the restaurant's suspension, it
    can be canceled until it is decided.
    """
    words = requested(by, reason)
    if not words.reason:
        raise Invalid.because([FieldError("reason", REASON_NEEDED)])
    code = ReasonCode.RESTAURANT_SUSPENDED if by_platform else ReasonCode.OFFER_CANCELLED
    cause = Cause(code, words.reason, words.actor)
    with transaction.atomic():
        offer = lock_own_offer(restaurant, offer_id, even_deleted=True)
        if offer.status == OfferStatus.DELETED:
            return CancelledOffer(offer, _orders_ended_with(offer))
        is_open = offer.status == OfferStatus.ACTIVE and now < offer.deadline
        if not is_open and not (by_platform and offer.status in UNDECIDED):
            raise Conflict(DEADLINE_PASSED.format(name=offer.name), code=ErrorCode.DEADLINE_PASSED)
        pending = PreOrder.objects.filter(offer=offer, status=PreOrderStatus.PENDING)
        orders = list(pending.select_for_update(of=("self",)).order_by("pk"))
        for order in orders:
            order.offer = offer
        transition(
            offer,
            "status",
            OfferStatus.DELETED,
            allowed=ALLOWED,
            now=now,
            cause=cause,
            deleted_at=now,
            public_reason=words.reason if is_reason_public and not by_platform else "",
        )
        OfferChange.objects.create(
            offer=offer,
            restaurant=restaurant,
            kind=OfferChange.Kind.CANCELED,
            detail=f"Canceled: {words.reason}"[:DETAIL_LENGTH],
            guests_told=sum(1 for order in orders if order.customer_email),
            by=words.actor,
            at=now,
        )
        about = ("special", offer.pk)
        record(
            Kind.SPECIAL_CANCELED, restaurant=restaurant, about=about, orders=len(orders), now=now
        )
        publish_special_event(offer, EventType.SPECIAL_CANCELED, now=now)
        _return_money(offer, orders, cause, now)
        set_order_statuses(orders, PreOrderStatus.CANCELLED, now=now, cause=cause)
        _tell_guests(orders, now)
        end_waitlist(offer, now=now)
        for order in orders:
            if order.payment_status in CHECKOUT_STATUSES:
                jobs.enqueue_checkout_end(order.pk)
        return CancelledOffer(offer, len(orders))


def _orders_ended_with(offer: SpecialOffer) -> int:
    ended = PreOrder.objects.filter(
        offer=offer,
        transitions__field="status",
        transitions__reason_code__in=(
            ReasonCode.OFFER_CANCELLED,
            ReasonCode.RESTAURANT_SUSPENDED,
        ),
    )
    return ended.distinct().count()


def _return_money(
    offer: SpecialOffer, orders: Sequence[PreOrder], cause: Cause, now: datetime
) -> None:
    """Queue what gives the guests their money back; nothing for orders still in checkout."""
    by_key = {order.pk: order for order in orders}
    drop_renewals(PreOrder.objects.filter(pk__in=by_key), now=now, why="the special was canceled")
    held = (PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED)
    PaymentOperation.objects.bulk_create(
        [
            PaymentOperation(
                restaurant_id=offer.restaurant_id,
                pre_order=order,
                kind=OperationKind.RELEASE,
                **cause.columns,
                due_at=now,
                created_at=now,
            )
            for order in orders
            if order.payment_status in held
        ],
        # An early charge may be under way; its worker finds the order canceled and calls it off.
        ignore_conflicts=True,
    )
    due = PaymentOperation.objects.filter(
        pre_order__in=by_key, kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING
    )
    due.update(due_at=now)
    keys = list(due.order_by("pk").values_list("pk", flat=True))
    jobs.enqueue_operations(keys, restaurant_id=offer.restaurant_id)
    for order in orders:
        if order.payment_status == PaymentStatus.CAPTURED:
            request_refund(order, up_to=None, cause=cause, now=now)


def _tell_guests(orders: Sequence[PreOrder], now: datetime) -> None:
    for start in range(0, len(orders), EMAILS_PER_MESSAGE):
        with jobs.batched_emails():
            queue_emails(orders[start : start + EMAILS_PER_MESSAGE], EmailKind.CANCELLED, now=now)
