"""Pick-up times of an offer: spans of the serve day, each with room for so many portions.

An offer without slots is fetched at any time of its day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.offers.locks import UNKNOWN_OFFER, lock_own_offer
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.states import OfferStatus
from apps.restaurants.models import Restaurant

MOST_SLOTS = 48
NEARLY_FULL = 5  # portions left from which on a guest is told
SHORTEST = timedelta(minutes=5)
CHOOSE = _lazy("Choose when you pick it up.")
NOT_THERE = _lazy("This pick-up time is no longer there. Choose another one.")


@dataclass(frozen=True, slots=True)
class SlotTerms:
    """What the owner sets; moments are aware, `capacity` None means no limit."""

    starts_at: datetime
    ends_at: datetime
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot as it stands: `taken` portions are booked or at the checkout."""

    slot: PickupSlot
    taken: int
    label: str

    @property
    def left(self) -> int | None:
        """Portions there is room for; None without a limit."""
        if self.slot.capacity is None:
            return None
        return max(0, self.slot.capacity - self.taken)

    @property
    def key(self) -> str:
        """As a form sends it."""
        return str(self.slot.pk)

    @property
    def is_nearly_full(self) -> bool:
        return self.left is not None and self.left <= NEARLY_FULL

    def has_capacity_for(self, portions: int) -> bool:
        return self.left is None or self.left >= portions


def slots_of(offer: SpecialOffer) -> list[SlotState]:
    """The offer's slots, the earliest first: one statement, and another when there are any.

    None for an offer that was read with `offer_for_display` and has none.
    """
    if not getattr(offer, "has_slots", True):
        return []
    slots = list(PickupSlot.objects.filter(offer=offer))
    if not slots:
        return []
    reserving = offer.pre_orders.reserving().filter(pickup_slot__in=slots)
    sums = reserving.order_by().values_list("pickup_slot").annotate(Sum("quantity"))
    taken: Mapping[int, int] = dict(sums)
    zone = offer.restaurant.zone
    return [
        SlotState(slot, taken.get(slot.pk, 0), formats.span(slot.starts_at, slot.ends_at, zone))
        for slot in slots
    ]


def choose_slot(offer: SpecialOffer, slot_id: int | None, *, portions: int) -> PickupSlot | None:
    """The slot an order of so many portions gets; None for an offer without slots.

    The caller holds the offer's lock, so two orders never share the last place. Raises Invalid when
    a slot has to be chosen or the chosen one is not the offer's, and Conflict when it is full.
    """
    slots = slots_of(offer)
    if not slots:
        if slot_id is not None:
            raise Invalid.because([FieldError("slotId", str(NOT_THERE))])
        return None
    if slot_id is None:
        raise Invalid.because([FieldError("slotId", str(CHOOSE))])
    chosen = next((each for each in slots if each.slot.pk == slot_id), None)
    if chosen is None:
        raise Invalid.because([FieldError("slotId", str(NOT_THERE))])
    if not chosen.has_capacity_for(portions):
        message = _full(chosen, slots, portions)
        raise Conflict(message, fields=[FieldError("slotId", message)])
    return chosen.slot


def _full(chosen: SlotState, slots: Sequence[SlotState], portions: int) -> str:
    """Why not, and what is possible instead."""
    others = [each.label for each in slots if each.has_capacity_for(portions)]
    facts = {
        "time": chosen.label,
        "left": formats.portions(chosen.left or 0),
        "number": chosen.left,
        "others": ", ".join(others[:3]),
        "portions": formats.portions(portions),
    }
    if chosen.left and others:
        text = _("%(time)s has room for %(left)s. There is room at %(others)s.")
    elif chosen.left:
        text = _("%(time)s has room for %(left)s. Order %(number)s or fewer.")
    elif others:
        text = _("%(time)s is full. There is room at %(others)s.")
    else:
        text = _("%(time)s is full. So is every other time for %(portions)s.")
    return text % facts


@transaction.atomic
def set_slots(
    *, restaurant: Restaurant, offer_id: UUID, terms: Sequence[SlotTerms], now: datetime
) -> list[SlotState]:
    """The offer's slots are these from now on.

    One with orders in it stays as it is but for its capacity, which may not fall below them.
    Raises NotFound; Invalid with every fault of the terms; Conflict when orders stand against the
    change or the offer is over.
    """
    offer = lock_own_offer(restaurant, offer_id)
    if offer.status not in (OfferStatus.ACTIVE, OfferStatus.CLOSING, OfferStatus.SUCCEEDED):
        raise Conflict(f"{offer.name} is over, so its pick-up times can no longer be changed.")
    faults = _errors(offer, terms)
    if faults:
        raise Invalid.because(faults)
    before = {each.slot.starts_at: each for each in slots_of(offer)}
    wanted = {each.starts_at: each for each in terms}
    _refuse_what_orders_stand_against(offer, before, wanted)
    PickupSlot.objects.filter(
        pk__in=[each.slot.pk for start, each in before.items() if start not in wanted]
    ).delete()
    for start, each in wanted.items():
        columns: dict[str, Any] = {"ends_at": each.ends_at, "capacity": each.capacity}
        if start in before:
            PickupSlot.objects.filter(pk=before[start].slot.pk).update(**columns)
        else:
            PickupSlot.objects.create(
                offer=offer, restaurant_id=offer.restaurant_id, starts_at=start, **columns
            )
    return slots_of(offer)


def slots_for_restaurant(*, restaurant: Restaurant, offer_id: UUID) -> list[SlotState]:
    """The slots of one of the restaurant's offers. Raises NotFound."""
    offers = SpecialOffer.objects.select_related("restaurant").filter(restaurant=restaurant)
    offer = offers.exclude(status=OfferStatus.DELETED).filter(pk=offer_id).first()
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return slots_of(offer)


def _errors(offer: SpecialOffer, terms: Sequence[SlotTerms]) -> list[FieldError]:
    zone, faults = offer.restaurant.zone, []
    ordered = sorted(enumerate(terms), key=lambda each: each[1].starts_at)
    last: SlotTerms | None = None
    for place, slot in ordered:
        if slot.starts_at.astimezone(zone).date() != offer.serve_date:
            day = formats.day(offer.serve_date)
            message = f"Pick-up times must lie on the serve day, {day}."
            faults.append(FieldError(f"slots.{place}.startsAt", message))
        if slot.ends_at - slot.starts_at < SHORTEST:
            message = "A pick-up time must last at least 5 minutes."
            faults.append(FieldError(f"slots.{place}.endsAt", message))
        elif slot.ends_at - slot.starts_at > timedelta(days=1):
            message = "A pick-up time cannot last longer than a day."
            faults.append(FieldError(f"slots.{place}.endsAt", message))
        if last is not None and slot.starts_at < last.ends_at:
            message = "Pick-up times must not overlap."
            faults.append(FieldError(f"slots.{place}.startsAt", message))
        last = slot
    return faults


def _refuse_what_orders_stand_against(
    offer: SpecialOffer,
    before: Mapping[datetime, SlotState],
    wanted: Mapping[datetime, SlotTerms],
) -> None:
    # An order that ended keeps its slot in the records, so that one cannot go either.
    remembered = set(
        offer.pre_orders.filter(pickup_slot__isnull=False).values_list("pickup_slot", flat=True)
    )
    for start, state in before.items():
        new = wanted.get(start)
        if state.slot.pk in remembered and (new is None or new.ends_at != state.slot.ends_at):
            raise Conflict(
                f"{state.label} has orders, so it has to stay as it is. "
                "You may still change how many portions it takes."
            )
        if new and new.capacity is not None and new.capacity < state.taken:
            taken = formats.count(state.taken, "portion")
            raise Conflict(
                f"{state.label} has {taken} booked already. "
                f"Let it take {state.taken} or more, or leave it without a limit."
            )
