"""Pickup times of an offer: slots on the serve day, each with an optional capacity in portions.

Guests of an offer without slots come at any time that day.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common import formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.versions import require_version, version_of
from apps.offers.locks import UNKNOWN_OFFER, lock_own_offer
from apps.offers.models import PickupSlot, SpecialOffer
from apps.offers.states import OfferStatus
from apps.restaurants.models import Restaurant

MAX_SLOTS = 48  # per offer
NEARLY_FULL_PORTIONS = 5  # with this many left or fewer, guests are told
MIN_SLOT_LENGTH = timedelta(minutes=5)
MAX_SLOT_LENGTH = timedelta(days=1)
SLOT_REQUIRED = _lazy("Choose a pickup time.")
SLOT_GONE = _lazy("This pickup time is no longer available. Choose another one.")


@dataclass(frozen=True, slots=True)
class SlotTerms:
    """A slot as the owner sets it. `capacity` is in portions, None for no limit."""

    starts_at: datetime
    ends_at: datetime
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot and how full it is: `taken` portions are ordered or in an open checkout, `for_friends`
    reserved for the friends of guests who chose it (decision 88)."""

    slot: PickupSlot
    taken: int
    label: str
    for_friends: int = 0

    @property
    def left(self) -> int | None:
        """Portions left; None without a limit."""
        if self.slot.capacity is None:
            return None
        return max(0, self.slot.capacity - self.taken - self.for_friends)

    @property
    def key(self) -> str:
        """The slot's id as forms send it."""
        return str(self.slot.pk)

    @property
    def is_nearly_full(self) -> bool:
        return self.left is not None and self.left <= NEARLY_FULL_PORTIONS

    @property
    def shortage(self) -> str:
        """What a guest reads who wants more portions than are left; empty without a limit."""
        if self.left is None:
            return ""
        if not self.left:
            return _("%(time)s is full. Choose another time.") % {"time": self.label}
        facts = {"time": self.label, "room": formats.portions(self.left)}
        return _("%(time)s has room for %(room)s. Choose another time.") % facts

    def has_capacity_for(self, portions: int) -> bool:
        return self.left is None or self.left >= portions


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """The slots as a form offers them to an order of `portions`; `wanted` is the key of the one
    chosen before."""

    slots: Sequence[SlotState]
    portions: int
    wanted: str = ""

    @property
    def needed(self) -> int:
        """A slot with fewer left can't be chosen. If none has enough, the number must change, so
        every slot can be that isn't full."""
        return self.portions if self._fitting else 1

    @property
    def selected(self) -> str:
        """The key of the wanted slot if it has enough left, else of the nearest that has; without a
        wanted one, of the first."""
        keys, fitting = [each.key for each in self.slots], [each.key for each in self._fitting]
        if not fitting:
            return self.wanted
        place = keys.index(self.wanted) if self.wanted in keys else 0
        return min(fitting, key=lambda key: abs(keys.index(key) - place))

    @property
    def selected_label(self) -> str:
        return next((each.label for each in self.slots if each.key == self.selected), "")

    @property
    def has_moved(self) -> bool:
        """Whether the wanted slot lacks room and another is selected in its place."""
        return bool(self.wanted) and self.selected != self.wanted

    @property
    def moved_words(self) -> str:
        """`5:30–6:00 PM is full now, so we chose 6:00–6:30 PM.`; empty if it has not moved, or if
        the wanted slot is gone."""
        wanted = next((each for each in self.slots if each.key == self.wanted), None)
        if wanted is None or not self.has_moved:
            return ""
        facts = {"wanted": wanted.label, "chosen": self.selected_label}
        if not wanted.left:
            return _("%(wanted)s is full now, so we chose %(chosen)s.") % facts
        text = _("%(wanted)s has room for %(room)s, so we chose %(chosen)s.")
        return text % {**facts, "room": formats.portions(wanted.left)}

    @property
    def full(self) -> list[str]:
        """The keys of the slots that have nothing left."""
        return [each.key for each in self.slots if each.left == 0]

    @property
    def is_first_of_several(self) -> bool:
        """Whether nobody chose the selected slot, and another one could be."""
        return not self.wanted and len(self.slots) - len(self.full) > 1

    @property
    def is_full(self) -> bool:
        """Whether there are slots, and none has anything left."""
        return bool(self.slots) and len(self.full) == len(self.slots)

    @property
    def at_one_time(self) -> int | None:
        """The most portions that one slot has left; None without a limit, or if all are full."""
        if any(each.left is None for each in self.slots):
            return None
        return max((each.left or 0 for each in self.slots), default=0) or None

    @property
    def roomiest(self) -> str:
        """The slot that `at_one_time` is about, the first if there are several; empty if they all
        have as much left."""
        rooms = [each.left or 0 for each in self.slots]
        if self.at_one_time is None or len(set(rooms)) == 1:
            return ""
        return self.slots[rooms.index(max(rooms))].label

    @property
    def most_words(self) -> str:
        """`Up to 4, at 6:00–6:30 PM`: for an order that no slot has room for."""
        facts = {"limit": self.at_one_time, "time": self.roomiest}
        if self.roomiest:
            return _("Up to %(limit)s, at %(time)s") % facts
        return _("Up to %(limit)s at each time") % facts

    @property
    def _fitting(self) -> list[SlotState]:
        return [each for each in self.slots if each.has_capacity_for(self.portions)]


def slots_of(
    offer: SpecialOffer, *, besides: UUID | None = None, friend_of: UUID | None = None
) -> list[SlotState]:
    """The offer's slots, earliest first; `besides` is an order that chooses again, so its own
    portions and those of its friends don't take any room. `friend_of` is the order of the guest who
    reserved portions for whoever chooses: these are theirs.

    Runs two queries, one more if guests reserve for friends, one if there are no slots, none if
    `offer_for_display` found that out before.
    """
    if not getattr(offer, "has_slots", True):
        return []
    slots = list(PickupSlot.objects.filter(offer=offer))
    if not slots:
        return []
    orders = offer.pre_orders.filter(pickup_slot__in=slots)
    if besides:
        orders = orders.exclude(pk=besides)
    sums = orders.reserving().order_by().values_list("pickup_slot")
    taken: Counter[int] = Counter()
    for_friends: Counter[int] = Counter()
    for slot_id, portions, asked_for in sums.annotate(Sum("quantity"), Sum("friend_portions")):
        taken[slot_id], for_friends[slot_id] = portions, asked_for
    if any(for_friends.values()):
        for_friends.clear()
        others = orders.exclude(pk=friend_of) if friend_of else orders
        for slot_id, left in others.left_for_friends():
            for_friends[slot_id] += left
    zone = offer.restaurant.zone
    return [
        SlotState(
            slot,
            taken[slot.pk],
            formats.span(slot.starts_at, slot.ends_at, zone),
            for_friends[slot.pk],
        )
        for slot in slots
    ]


def full_at_every_time(offers: Iterable[SpecialOffer]) -> set[UUID]:
    """Which of these have slots and no portion left at any of them. One query for all; none if
    they were read `for_display` and none has slots."""
    timed = [offer.pk for offer in offers if getattr(offer, "first_slot_at", True)]
    if not timed:
        return set()
    orders: Any = PickupSlot._meta.get_field("pre_orders").related_model
    of_slot = orders.objects.filter(pickup_slot=OuterRef("pk"))

    def sum_of(rows: Any, what: str) -> Coalesce:
        sums = rows.order_by().values("pickup_slot").annotate(sum=Sum(what))
        return Coalesce(Subquery(sums.values("sum")), 0)

    taken = sum_of(of_slot.reserving(), "quantity")
    for_friends = sum_of(of_slot.left_for_friends(), "left")
    slots = PickupSlot.objects.filter(offer__in=timed).order_by()
    left = slots.values_list("offer", F("capacity") - taken - for_friends)
    found: dict[bool, set[UUID]] = {False: set(), True: set()}
    for offer_id, portions in left:
        found[portions is None or portions > 0].add(offer_id)
    return found[False] - found[True]


def choose_slot(
    offer: SpecialOffer,
    slot_id: int | None,
    *,
    portions: int,
    besides: UUID | None = None,
    friend_of: UUID | None = None,
) -> PickupSlot | None:
    """The slot for all `portions` of an order; None for an offer without slots. An order that has a
    slot already is named by `besides`, that of the guest whose friend orders by `friend_of`.

    The caller holds the offer's lock, so two orders can't take the same last portion. Raises
    Invalid if a slot is required or the chosen one isn't the offer's, and Conflict if it is full.
    """
    slots = slots_of(offer, besides=besides, friend_of=friend_of)
    if not slots:
        if slot_id is not None:
            raise Invalid.because([FieldError("slotId", str(SLOT_GONE))])
        return None
    if slot_id is None:
        raise Invalid.because([FieldError("slotId", str(SLOT_REQUIRED))])
    chosen = next((each for each in slots if each.slot.pk == slot_id), None)
    if chosen is None:
        raise Invalid.because([FieldError("slotId", str(SLOT_GONE))])
    if not chosen.has_capacity_for(portions):
        message = _full(chosen, slots, portions)
        errors = [FieldError("slotId", message)]
        raise Conflict(message, code=ErrorCode.SOLD_OUT, fields=errors)
    return chosen.slot


def _full(chosen: SlotState, slots: Sequence[SlotState], portions: int) -> str:
    """Says why the slot can't be had and what the guest can choose instead."""
    others = [each.label for each in slots if each.has_capacity_for(portions)]
    best = max(slots, key=lambda each: each.left or 0)
    facts = {
        "time": chosen.label,
        "room": formats.portions(chosen.left or 0),
        "number": chosen.left,
        "others": ", ".join(others[:3]),
        "portions": formats.portions(portions),
        "best": best.label,
        "most": formats.portions(best.left or 0),
    }
    if others:
        text = _("%(time)s has room for %(room)s. Try %(others)s.")
        if not chosen.left:
            text = _("%(time)s is full. Try %(others)s.")
    elif best is chosen and best.left:
        text = _("%(time)s has room for %(room)s. Choose %(number)s or fewer.")
    elif best.left:
        text = _("%(time)s has room for %(room)s. The most at one time is %(most)s, at %(best)s.")
        if not chosen.left:
            text = _("%(time)s is full. The most at one time is %(most)s, at %(best)s.")
    else:
        text = _("%(time)s is full, and so is every other time.")
    return text % facts


def slots_version(slots: Sequence[SlotState]) -> str:
    """Another one whenever somebody has changed the times or limits; orders don't change it."""
    return version_of(
        [(each.slot.starts_at, each.slot.ends_at, each.slot.capacity) for each in slots]
    )


@transaction.atomic
def set_slots(
    *,
    restaurant: Restaurant,
    offer_id: UUID,
    terms: Sequence[SlotTerms],
    version: str = "",
    now: datetime,
) -> list[SlotState]:
    """Replace the offer's slots with `terms`.

    A slot with orders keeps its times, and its capacity can't drop below them. `version` is the
    `slots_version` that the editor saw; empty for one that doesn't say. Raises NotFound; Invalid
    with every error in the terms; EditedMeanwhile; Conflict if orders rule out the change or the
    offer is over.
    """
    offer = lock_own_offer(restaurant, offer_id)
    if offer.status not in (OfferStatus.ACTIVE, OfferStatus.CLOSING, OfferStatus.SUCCEEDED):
        raise Conflict(f"{offer.name} is over, so you can't change its pickup times.")
    errors = _slot_errors(offer, terms)
    if errors:
        raise Invalid.because(errors)
    current = slots_of(offer)
    require_version(version, lambda: slots_version(current), name="The list of pickup times")
    before = {each.slot.starts_at: each for each in current}
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
    """The slots of one of the restaurant's offers. Raises NotFound for another's offer."""
    offers = SpecialOffer.objects.select_related("restaurant").filter(restaurant=restaurant)
    offer = offers.exclude(status=OfferStatus.DELETED).filter(pk=offer_id).first()
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return slots_of(offer)


def _slot_errors(offer: SpecialOffer, terms: Sequence[SlotTerms]) -> list[FieldError]:
    zone, errors = offer.restaurant.zone, []
    ordered = sorted(enumerate(terms), key=lambda each: each[1].starts_at)
    last: SlotTerms | None = None
    for place, slot in ordered:
        if slot.starts_at.astimezone(zone).date() != offer.serve_date:
            day = formats.day(offer.serve_date)
            message = f"Pickup times must be on the serve date, {day}."
            errors.append(FieldError(f"slots.{place}.startsAt", message))
        if slot.ends_at - slot.starts_at < MIN_SLOT_LENGTH:
            message = "A pickup time must be at least 5 minutes long."
            errors.append(FieldError(f"slots.{place}.endsAt", message))
        elif slot.ends_at - slot.starts_at > MAX_SLOT_LENGTH:
            message = "A pickup time can't be longer than a day."
            errors.append(FieldError(f"slots.{place}.endsAt", message))
        if last is not None and slot.starts_at < last.ends_at:
            message = "Pickup times can't overlap."
            errors.append(FieldError(f"slots.{place}.startsAt", message))
        last = slot
    return errors


def _refuse_what_orders_stand_against(
    offer: SpecialOffer,
    before: Mapping[datetime, SlotState],
    wanted: Mapping[datetime, SlotTerms],
) -> None:
    # Orders that have ended still refer to their slot, as do changes that asked for it, so it can't
    # be removed either.
    is_known = Q(pre_orders__isnull=False) | Q(requests__isnull=False)
    slots = PickupSlot.objects.filter(is_known, offer=offer)
    remembered = set(slots.values_list("pk", flat=True))
    for start, state in before.items():
        new = wanted.get(start)
        if state.slot.pk in remembered and (new is None or new.ends_at != state.slot.ends_at):
            raise Conflict(
                f"{state.label} has orders, so you can't remove it or change its times. "
                "You can still change its limit."
            )
        if new and new.capacity is not None and new.capacity < state.taken:
            taken = formats.count(state.taken, "portion")
            raise Conflict(
                f"{state.label} already has {taken} ordered. "
                f"Set the limit to {state.taken} or more, or remove it."
            )
