"""Where a guest's friends have room: at the guest's own time, at another one with the guest, or
without (decision 88)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.pickup_slots import SLOT_GONE, SlotState
from apps.preorders.core.selectors import slot_label
from apps.preorders.models import PreOrder

MOST_TIMES_NAMED = 3


@dataclass(frozen=True, slots=True)
class RoomForFriends:
    """Where `number` friends have room: how many of them `here`, at the guest's time. If not all:
    the nearest time that the guest can have, too, `shared` by all of them; or else the `others`,
    earliest first, for those who come without the guest, and for how many of them each has room.
    """

    number: int
    here: int
    zone: tzinfo
    shared: SlotState | None = None
    others: Sequence[tuple[SlotState, int]] = ()
    is_only_time: bool = False
    reserved: int = 0  # of the number, those that are reserved already

    @property
    def asked(self) -> int:
        """How many of them the form reserves."""
        return self.number - self.reserved

    @property
    def is_short(self) -> bool:
        return self.here < self.number

    @property
    def value(self) -> str:
        """As the form sends it: `3`, or `3@12` if the guest's order moves to that time."""
        return f"{self.asked}@{self.shared.key}" if self.shared else str(self.asked)

    @property
    def option(self) -> str:
        """`3`, `3 · all at 7:00 PM`, of what the form reserves."""
        here = max(0, self.here - self.reserved)
        facts: dict[str, int | str] = {"number": self.asked, "here": here}
        if self.shared:
            facts["time"] = self.shared_start
            return _("%(number)s · all at %(time)s") % facts
        if not self.is_short:
            return str(self.asked)
        if here:
            return _("%(number)s · only %(here)s at your time") % facts
        if len(self.others) == 1:
            facts["time"] = self._starts(self.others[0][0])
            return _("%(number)s · at %(time)s") % facts
        text = (
            _("%(number)s · at other times") if self.others else _("%(number)s · no time has room")
        )
        return text % facts

    @property
    def shared_start(self) -> str:
        """When the time with the guest begins; empty without one."""
        return self._starts(self.shared) if self.shared else ""

    @property
    def others_in_words(self) -> str:
        """`6:30–7:00 PM has room for 2, 7:00–7:30 PM for 1.`; empty if there are no others."""
        if self.is_only_time:
            return ""
        if not self.others:
            return _("Every other time is full.")
        first, *more = ({"time": slot.label, "room": room} for slot, room in self.others)
        parts = [_("%(time)s has room for %(room)s") % first]
        return ", ".join([*parts, *(_("%(time)s for %(room)s") % each for each in more)]) + "."

    def _starts(self, time: SlotState) -> str:
        return formats.time_of_day(time.slot.starts_at.astimezone(self.zone))


def room_for_friends(
    order: PreOrder, slots: Sequence[SlotState], numbers: Iterable[int], *, reserved: int = 0
) -> list[RoomForFriends]:
    """For each of the numbers, each with those `reserved` already. `slots` are as for an order that
    chooses again; none for an order that can't.

    Runs one query if the guest's time is short for the highest and the guest reserved before.
    """
    own = next((each for each in slots if each.slot.pk == order.pickup_slot_id), None)
    numbers, zone = list(numbers), order.offer.restaurant.zone
    if own is None or _has_room(order, own, max(numbers, default=0)):
        return [RoomForFriends(number, number, zone, reserved=reserved) for number in numbers]
    others = sorted(
        (each for each in slots if each is not own),
        key=lambda each: abs(each.slot.starts_at - own.slot.starts_at),
    )
    stays = has_friends_at_own_time(order)
    rooms = [_room_for(order, own, others, number, stays=stays) for number in numbers]
    return [replace(room, reserved=reserved) for room in rooms]


def _room_for(
    order: PreOrder, own: SlotState, others: list[SlotState], number: int, *, stays: bool
) -> RoomForFriends:
    zone = order.offer.restaurant.zone
    if _has_room(order, own, number):
        return RoomForFriends(number, number, zone)
    here = max(0, (own.left or 0) - order.quantity)
    if not stays:
        shared = next((each for each in others if _has_room(order, each, number)), None)
        if shared:
            return RoomForFriends(number, here, zone, shared)
    named = _times_for(others, number - here)
    return RoomForFriends(number, here, zone, None, named, is_only_time=not others)


def _times_for(others: list[SlotState], rest: int) -> list[tuple[SlotState, int]]:
    """The times for the `rest` who come without the guest: the nearest for all of them, else the
    nearest ones, as few as have room for them."""
    rooms = [(each, rest if each.left is None else min(rest, each.left)) for each in others]
    if whole := next((each for each in rooms if each[1] == rest), None):
        return [whole]
    chosen: list[tuple[SlotState, int]] = []
    for each, room in rooms:
        if room and rest > 0 and len(chosen) < MOST_TIMES_NAMED:
            chosen.append((each, min(room, rest)))
            rest -= room
    return sorted(chosen, key=lambda each: each[0].slot.starts_at)


def why_not_shared(order: PreOrder, slots: Iterable[SlotState], slot_id: int, number: int) -> str:
    """Why the guest's order can't move to a time with `number` friends; empty if it can. The caller
    holds the order's lock, or only asks."""
    slot = next((each for each in slots if each.slot.pk == slot_id), None)
    if slot is None:
        return str(SLOT_GONE)
    if has_friends_at_own_time(order):
        text = _("A friend has ordered for %(time)s meanwhile, so your order stays there.")
        return text % {"time": slot_label(order)}
    if not _has_room(order, slot, number):
        text = _("%(time)s doesn't have room for all of you anymore. Choose again.")
        return text % {"time": slot.label}
    return ""


def has_friends_at_own_time(order: PreOrder) -> bool:
    """Whether a friend has ordered for the guest's own time, which the guest doesn't leave then."""
    if order.friends_until is None:
        return False
    friends = PreOrder.objects.filter(friend_of=order, pickup_slot=order.pickup_slot_id)
    return friends.reserving().exists()


def _has_room(order: PreOrder, slot: SlotState, number: int) -> bool:
    """Whether a time has room for the order's own portions and for `number` friends."""
    return slot.has_capacity_for(order.quantity + number)
