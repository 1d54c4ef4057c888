"""How long an order in checkout reserves its portions, and getting them back (decision 51).

A reservation needs no card, so it is short: it lapses by itself, and at once when the guest leaves
the checkout. Its payment page stays open longer, because Stripe keeps one for 30 minutes at least
(https://docs.stripe.com/payments/checkout/managing-limited-inventory). Whoever finishes there
afterwards gets the portions if they are still there, decided under the offer's lock.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import slots_of
from apps.offers.states import UNDECIDED
from apps.preorders.core.friends import end_overdue, offers_overdue, portions_left_for
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount, reserved_portions
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import ReservationStatus, WaitlistStatus

RESERVATION_TIME = timedelta(minutes=10)
ORIGIN_LIFETIME = timedelta(days=1)


def lapse_reservations(offer: SpecialOffer, *, now: datetime) -> int:
    """Let the offer's overdue reservations lapse, those for friends too; returns how many. The
    caller holds the offer's lock and counts its portions afterwards."""
    overdue = PreOrder.objects.in_checkout().filter(
        offer=offer, reservation=ReservationStatus.RESERVED, reserved_until__lte=now
    )
    return overdue.update(reservation=ReservationStatus.LAPSED) + end_overdue(offer, now=now)


def lapse_own(earlier: Iterable[PreOrder], *, device: str) -> None:
    """Let what a guest reserved earlier in this browser lapse, because they order again, for
    example another number after the browser's Back. `earlier` are the guest's orders of the offer
    that are in checkout; the caller holds the offer's lock."""
    own = [order.pk for order in earlier if is_reserved(order) and order.origin_device == device]
    if own:
        reserved = PreOrder.objects.in_checkout().filter(
            pk__in=own, reservation=ReservationStatus.RESERVED
        )
        reserved.update(reservation=ReservationStatus.LAPSED)


def lapse_overdue(*, now: datetime) -> None:
    """The sweep: let overdue reservations of all offers lapse, and tell the waitlist."""
    overdue = PreOrder.objects.in_checkout().filter(
        reservation=ReservationStatus.RESERVED, reserved_until__lte=now
    )
    in_checkout = overdue.order_by().values_list("offer", flat=True).distinct()
    for offer_id in sorted({*in_checkout, *offers_overdue(now=now)}):
        with transaction.atomic():
            offer = lock_offer(offer_id)
            if lapse_reservations(offer, now=now):
                recount(offer, now=now)


def return_reservation(order_id: UUID, *, now: datetime) -> None:
    """The guest left the checkout: others can have the portions. The guest can come back while
    portions are left.

    Portions that the waitlist reserved for this guest stay theirs (decision 29).
    """
    with transaction.atomic():
        order = lock_order(order_id)
        invited = WaitlistEntry.objects.filter(
            pre_order=order, state=WaitlistStatus.TAKEN, reserved_until__gt=now
        )
        if invited.exists():
            return
        left = PreOrder.objects.in_checkout().filter(
            pk=order.pk, reservation=ReservationStatus.RESERVED, reserved_until__isnull=False
        )
        if left.update(reservation=ReservationStatus.RETURNED):
            recount(order.offer, now=now)


def outdated_origins(now: datetime) -> PreOrderQuerySet:
    """Orders started more than a day ago that have an origin; the limits look back two hours."""
    return PreOrder.objects.filter(created_at__lt=now - ORIGIN_LIFETIME).exclude(origin_network="")


def forget_origins(*, now: datetime) -> int:
    """Empty the outdated origins; returns how many."""
    return outdated_origins(now).update(origin_network="", origin_device="")


def is_reserved(order: PreOrder) -> bool:
    return order.reservation == ReservationStatus.RESERVED


def reserve_again(order: PreOrder, *, now: datetime) -> bool:
    """Make sure that the portions of an order in checkout are reserved; False if they are gone.

    The caller holds the offer's and the order's locks, and recounts afterwards.
    """
    if is_reserved(order):
        return True
    offer = order.offer
    if offer.status in UNDECIDED:
        lapse_reservations(offer, now=now)
    if not _are_left(offer, order, now):
        return False
    order.reservation = ReservationStatus.RESERVED
    order.reserved_until = now + RESERVATION_TIME
    PreOrder.objects.filter(pk=order.pk).update(
        reservation=order.reservation, reserved_until=order.reserved_until
    )
    return True


def _are_left(offer: SpecialOffer, order: PreOrder, now: datetime) -> bool:
    """Whether the special and the pickup time have the order's portions, counting those reserved
    for friends as theirs."""
    cap = offer.max_preorders
    if cap is not None:
        own = portions_left_for(order, now=now) if order.friend_of_id else 0
        if order.quantity > cap - reserved_portions(offer) + own:
            return False
    if order.pickup_slot_id is None:
        return True
    slots = slots_of(offer, friend_of=order.friend_of_id)
    chosen = [each for each in slots if each.slot.pk == order.pickup_slot_id]
    return any(slot.has_capacity_for(order.quantity) for slot in chosen)
