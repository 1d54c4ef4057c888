"""Orders by phone: the same reservation, and a link where the guest adds a card."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.errors import Conflict, NotFound
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.offers.serving import check_service_mode
from apps.preorders.checkout.acceptance import check_open, check_portions
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, open_checkout
from apps.preorders.checkout.services import (
    GuestDetails,
    OrderRequest,
    open_checkouts,
    reserve,
    same_order,
)
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import price_order
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OrderSource
from apps.restaurants.idempotency import Attempt

# A hosted page lives at most 24 hours; one minute less in case clocks differ.
LINK_LIFE = timedelta(hours=24) - timedelta(minutes=1)


def begin_phone_order(
    *,
    offer_id: UUID,
    quantity: int,
    guest: GuestDetails,
    now: datetime,
    note: str = "",
    slot_id: int | None = None,
    service_mode: str = "",
    attempt: Attempt | None = None,
    taken_by: User | None = None,
) -> PreOrder:
    """Reserve the portions and open a page for a card: the order's `checkout_url`.

    The page lives until `checkout_expires_at`: a day, or until the deadline. If it is not used, the
    order ends then and frees its portions, like any abandoned checkout. A guest with an email
    address gets the link by email; without one (`guest.email` empty), the caller reads the link
    out or shows it. `slot_id` is the pickup time, required where the offer has some; `service_mode`
    how the guest wants it, if they said; `taken_by` the person who took the order. An order that an
    earlier `attempt` reserved is returned as long as it can be paid. The caller must be allowed to
    see the offer.

    Raises NotFound for an offer that does not exist, Conflict when it can no longer be ordered, not
    that many of it, or its deadline is too near for a page; Unavailable when the payment provider
    does not answer (nothing is reserved then).
    """
    with transaction.atomic():
        try:
            offer = lock_offer(offer_id)
        except SpecialOffer.DoesNotExist:
            raise NotFound("We couldn't find this special. Check the link and try again.") from None
        check_open(offer, now)
        check_service_mode(offer, service_mode)
        expires_at = _life_of_link(offer, now)
        price = price_order(offer, quantity)
        request = OrderRequest(
            quantity,
            guest,
            note,
            slot_id=slot_id,
            source=OrderSource.PHONE,
            taken_by=taken_by,
            service_mode=service_mode,
        )
        earlier = open_checkouts(offer, email=guest.email)
        order = same_order(earlier, request, price, now)
        if attempt and attempt.result_id:
            order = PreOrder.objects.in_checkout().filter(pk=attempt.result_id).first()
        if order is None:
            taken = check_portions(offer, quantity, now)
            choose_slot(offer, slot_id, portions=quantity)
            order = reserve(offer, request, price, expires_at=expires_at, now=now)
            save_counts(offer, ordered=offer.ordered_portions, reserved=taken + quantity, now=now)
            restaurant, about = offer.restaurant_id, ("order", order.pk)
            record(Kind.PHONE_ORDER_TAKEN, restaurant=restaurant, about=about, now=now)
            if attempt:
                attempt.record(order.pk)
    if not order.checkout_url:
        open_checkout(order, now)
    return order


def _life_of_link(offer: SpecialOffer, now: datetime) -> datetime:
    if offer.deadline - now < CHECKOUT_LIFE:
        closes = formats.moment(offer.deadline, offer.restaurant.zone)
        raise Conflict(
            "A payment link needs at least 30 minutes, and orders for this special close at "
            f"{closes}. Ask the guest to order on its page, or extend the deadline first."
        )
    return min(now + LINK_LIFE, offer.deadline)
