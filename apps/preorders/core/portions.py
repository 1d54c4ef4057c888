"""Counting portions. Decisions count the orders; the offer's columns are a copy for display."""

from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable

from apps.common.db.composed import composed_once
from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.core.decision import with_restaurant_portions
from apps.preorders.core.friends import portions_for_friends
from apps.preorders.core.push_queue import queue_progress
from apps.preorders.core.waitlist import invited_portions, promote_waitlist
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.querysets import sum_of
from apps.preorders.models.states import OperationKind, OperationStage, OperationStatus


def reserved_portions(offer: SpecialOffer) -> int:
    """Portions that nobody else can order: held or charged, reserved in checkout (DECISIONS X25),
    being added to orders, added by the restaurant, or reserved for friends (decision 88) or the
    waitlist (decision 29).

    Every order of an offer with a maximum asks, under the offer's lock.
    """
    ((taken, for_friends),) = _reserved(offer.pk)
    return with_restaurant_portions(offer, taken) + _for_friends(offer, for_friends)


@composed_once
def _reserved(offer_id: UUID) -> "QuerySet[SpecialOffer, tuple[int, int]]":
    orders = PreOrder.objects.filter(offer=offer_id).reserving()
    ordered = sum_of(orders.values("offer"), F("quantity"))
    taken = ordered + _being_added(offer_id) + invited_portions(offer_id)
    friends = PreOrder.objects.filter(offer=offer_id, friend_portions__gt=0)
    asked_for = sum_of(friends.values("offer"), F("friend_portions"))
    return SpecialOffer.objects.filter(pk=offer_id).values_list(taken, asked_for)


def _for_friends(offer: SpecialOffer, asked_for: int) -> int:
    """Of those that guests asked for, the portions still reserved for their friends."""
    return portions_for_friends(offer) if asked_for else 0


def ordered_portions(offer: SpecialOffer) -> int:
    """Guests' portions that are held or charged (DECISIONS X13, X21)."""
    return PreOrder.objects.filter(offer=offer).counted().portions()


def _being_added(offer_id: UUID) -> Combinable:
    """Portions that wait for a larger hold before they are added to their order."""
    under_way = PaymentOperation.objects.filter(
        pre_order__offer=offer_id,
        kind=OperationKind.RENEW,
        state=OperationStatus.PENDING,
        quantity__isnull=False,
    ).exclude(stage=OperationStage.CLEAN_UP)
    return sum_of(under_way.values("pre_order__offer"), F("quantity") - F("pre_order__quantity"))


@composed_once
def _portion_sums(offer_id: UUID) -> "QuerySet[PreOrder, tuple[int, int, int]]":
    orders = PreOrder.objects.filter(offer=offer_id)
    return orders.portion_sums(besides=_being_added(offer_id))


def recount(offer: SpecialOffer, *, now: datetime) -> None:
    """Refresh the offer's display columns and promote the waitlist (decision 29); the caller holds
    the offer's lock.

    A decided offer keeps the counts it was decided on (DECISIONS X15).
    """
    if offer.status not in UNDECIDED:
        return
    sums = _portion_sums(offer.pk)
    counted, others, for_friends = sums[0] if sums else (0, 0, 0)
    taken = with_restaurant_portions(offer, counted + others)
    taken += _for_friends(offer, for_friends)
    reserved = 0 if offer.max_preorders is None else promote_waitlist(offer, taken=taken, now=now)
    save_counts(
        offer,
        ordered=with_restaurant_portions(offer, counted),
        reserved=taken + reserved,
        now=now,
    )


def save_counts(offer: SpecialOffer, *, ordered: int, reserved: int, now: datetime) -> None:
    """Save the display columns if they changed; the caller holds the offer's lock."""
    if (offer.ordered_portions, offer.reserved_portions) == (ordered, reserved):
        return
    queue_progress(offer, before=offer.ordered_portions, after=ordered, now=now)
    offer.ordered_portions, offer.reserved_portions = ordered, reserved
    SpecialOffer.objects.filter(pk=offer.pk).update(
        ordered_portions=ordered, reserved_portions=reserved
    )
