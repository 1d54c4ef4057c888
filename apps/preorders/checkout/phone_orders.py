"""An order by phone: the same reservation, and a link for the guest to give a card on."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.preorders.checkout.services import (
    CHECKOUT_LIFE,
    GuestDetails,
    OrderRequest,
    check_open,
    check_portions,
    open_checkout,
    open_checkout_for,
    reserve,
)
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import price_order
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OrderSource

# The longest a hosted page can live, and a minute for clocks that differ.
LINK_LIFE = timedelta(hours=24) - timedelta(minutes=1)
# The same order noted down again within this is a button pressed twice.
PRESSED_TWICE = timedelta(minutes=2)


def begin_phone_order(
    *,
    offer_id: UUID,
    quantity: int,
    customer: GuestDetails,
    now: datetime,
    note: str = "",
    slot_id: int | None = None,
) -> PreOrder:
    """Reserve the portions and open a page to give a card on: the order's `checkout_url`.

    The page lives until `checkout_expires_at`, a day or until the deadline; unused, the order ends
    then and its portions are free, as any abandoned checkout's. With an e-mail the guest gets the
    link by letter; without one (`customer.email` empty) nobody is written to, and the caller reads
    the link out or shows it. `slot_id` is the pick-up time, which an offer that has some wants
    chosen. The offer must be one the caller may see.

    Raises NotFound for an offer that is not there, Conflict when it cannot be ordered any more, not
    so many, or its deadline is too near for a page; Unavailable when the processor does not answer
    (nothing is reserved then).
    """
    with transaction.atomic():
        try:
            offer = lock_offer(offer_id)
        except SpecialOffer.DoesNotExist:
            raise NotFound("We could not find this offer. Check the link and try again.") from None
        check_open(offer, now)
        expires_at = _life_of_link(offer, now)
        price = price_order(offer, quantity)
        wanted = OrderRequest(quantity, customer, note, slot_id=slot_id, source=OrderSource.PHONE)
        order = open_checkout_for(offer, wanted, price, now)
        if order is None or order.created_at <= now - PRESSED_TWICE:
            taken = check_portions(offer, quantity)
            choose_slot(offer, slot_id, portions=quantity)
            order = reserve(offer, wanted, price, expires_at=expires_at, now=now)
            save_counts(offer, booked=offer.ordered_portions, reserved=taken + quantity)
    if not order.checkout_url:
        open_checkout(order, now)
    return order


def _life_of_link(offer: SpecialOffer, now: datetime) -> datetime:
    if offer.deadline - now < CHECKOUT_LIFE:
        closes = formats.moment(offer.deadline, offer.restaurant.zone)
        raise Conflict(
            "A link to pay needs half an hour, and pre-orders for this offer close at "
            f"{closes}. Ask the guest to order on its page, or extend the deadline first."
        )
    return min(now + LINK_LIFE, offer.deadline)
