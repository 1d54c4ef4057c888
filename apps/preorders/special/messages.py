"""Writing to the guests of one special (decision 135)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import translation

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.emails import EmailText
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, NotFound
from apps.offers.locks import UNKNOWN_OFFER, lock_own_offer
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.selectors import offer_for_display
from apps.preorders.core.email_queue import queue_emails_again
from apps.preorders.emails.texts import order_email_text
from apps.preorders.models import Email, GuestMessage, PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.idempotency import Attempt
from apps.restaurants.models import Restaurant

# Of one special. Guests ordered a dish, not a newsletter.
MAX_MESSAGES = 5
LOGGED_LENGTH = 280  # characters in the change log
TOO_MANY = "You've sent {max} messages about this special, the most you can send. Call your guests."
NOBODY = "No guest of this special can be emailed right now. Nothing was sent."


@dataclass(frozen=True, slots=True)
class MessagePreview:
    """How many guests would get a message, and what the first of them would read."""

    guests: int
    text: EmailText


def guests_to_message(offer: SpecialOffer) -> list[PreOrder]:
    """The orders whose guests get a message: their card is held or charged, and each address
    counts once, with its latest order."""
    orders = PreOrder.objects.filter(offer=offer).counted().exclude(customer_email="")
    latest = {
        order.customer_email.lower(): order
        for order in orders.select_related("offer__restaurant", "sold").order_by("created_at", "pk")
    }
    return sorted(latest.values(), key=lambda order: order.pk)


def preview_message(*, restaurant: Restaurant, offer_id: UUID, text: str) -> MessagePreview:
    """What would be sent; nothing is. Raises NotFound, and Conflict if nobody can be emailed."""
    offer = offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    orders = guests_to_message(offer)
    _check(offer, orders)
    message = GuestMessage(text=text)
    sample = Email(pre_order=orders[0], kind=EmailKind.GUEST_MESSAGE, message=message)
    with translation.override(orders[0].language):
        return MessagePreview(len(orders), order_email_text(sample))


def message_guests(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    text: str,
    by: str,
    attempt: Attempt | None = None,
    now: datetime,
) -> int:
    """Email `text` to every guest of the offer whose order stands; returns how many.

    An `attempt` sends it once, however often it is repeated. Raises NotFound, and Conflict if
    nobody can be emailed or after `MAX_MESSAGES`.
    """
    with transaction.atomic():
        offer = lock_own_offer(restaurant, offer_id, even_deleted=True)
        if attempt and attempt.result_id:
            return Email.objects.filter(message_id=attempt.result_id).count()
        orders = guests_to_message(offer)
        _check(offer, orders)
        message = GuestMessage.objects.create(
            restaurant=restaurant, offer=offer, text=text, by=by, at=now
        )
        queue_emails_again(orders, EmailKind.GUEST_MESSAGE, now=now, message=message)
        shortened = " ".join(text.split())[:LOGGED_LENGTH]
        OfferChange.objects.create(
            offer=offer,
            restaurant=restaurant,
            kind=OfferChange.Kind.MESSAGE,
            detail=f"Message: {shortened}",
            guests_told=len(orders),
            by=by[:100],
            at=now,
        )
        about = ("special", offer.pk)
        record(
            Kind.GUESTS_MESSAGED, restaurant=restaurant, about=about, orders=len(orders), now=now
        )
        if attempt:
            attempt.record(message.pk)
        return len(orders)


def _check(offer: SpecialOffer, orders: list[PreOrder]) -> None:
    if not orders:
        raise Conflict(NOBODY)
    if GuestMessage.objects.filter(offer=offer).count() >= MAX_MESSAGES:
        raise Conflict(TOO_MANY.format(max=MAX_MESSAGES), code=ErrorCode.CONFLICT)
