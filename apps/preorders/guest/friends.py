"""What a guest does for friends: reserving portions for them, and opening these to everybody
(decision 88)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlencode

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import slots_of
from apps.offers.presentation import Special
from apps.preorders.checkout.acceptance import check_open
from apps.preorders.core.friends import (
    MAX_FRIEND_PORTIONS,
    Friend,
    friends_until_for,
    friends_url,
    friends_who_ordered,
    invitation_to_friends,
    portions_for_friends,
    portions_left,
    portions_ordered,
    starter_who_left,
)
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount, reserved_portions
from apps.preorders.core.referrals import referral_url
from apps.preorders.core.reservations import lapse_reservations
from apps.preorders.guest.choices import change_slot
from apps.preorders.guest.friends_times import why_not_shared
from apps.preorders.models import PreOrder
from apps.preorders.models.states import GUEST, PreOrderStatus

NOT_HERE = gettext_lazy(
    "This special doesn't let guests reserve portions for friends. Share its link instead."
)
WITH_A_FRIEND = gettext_lazy("You came with a friend's link. Send that one to others too.")
WITH_ANOTHER = gettext_lazy("You've already reserved portions of this special for friends.")
NOT_YET = gettext_lazy("You can reserve again once one of your friends has ordered.")
NOT_AS_SHOWN = gettext_lazy(
    "What's reserved for your friends has changed. Check it, then reserve again."
)
NOT_IN = gettext_lazy("Your card has to be held before you can reserve portions for friends.")


class FriendsTaken(StrEnum):
    """How friends took all that was reserved for them, in time."""

    ORDERED = "ordered"
    BEING_ORDERED = "being_ordered"  # one of them is at the card form


@dataclass(frozen=True, slots=True)
class FriendsOnOrderPage:
    """A guest's friends, for their own page: those who ordered, how many portions are still
    reserved and until when; before that, how many can be."""

    friends: list[Friend]
    left: int
    until: str
    url: str
    invitation: str  # a text to send, with the link
    most: int  # that can be reserved, besides those that are; 0 if none can be
    again: bool = False  # whether some were reserved before
    asked_for: int = 0  # of those that are still reserved, with those that friends have ordered
    taken: FriendsTaken | None = None  # what became of those that aren't left
    with_another: bool = False  # whether the guest reserved some with another order instead

    @property
    def numbers(self) -> Sequence[int]:
        """Of portions for which room is looked for: those still reserved, and each number that can
        be reserved, together with these."""
        return range(self.left or 1, self.left + self.most + 1)

    @property
    def has_unnamed(self) -> bool:
        return not all(friend.first_name for friend in self.friends)

    @property
    def is_started(self) -> bool:
        return self.again or (not self.most and not self.with_another)

    def without_names(self) -> "FriendsOnOrderPage":
        """What whoever has the order's link can see of it."""
        return replace(self, friends=[], url="", invitation="")

    @property
    def whatsapp(self) -> str:
        """Opens WhatsApp with the text, if there is one: https://faq.whatsapp.com/5913398998672934"""
        return "https://wa.me/?" + urlencode({"text": self.invitation}) if self.invitation else ""


def friends_on_order_page(order: PreOrder, special: Special) -> FriendsOnOrderPage | None:
    """What the guest sees of their friends and can do; None for nothing. The caller acts as the
    restaurant."""
    offer, zone = special.offer, special.restaurant.zone
    if order.friends_until is not None:
        ordered = friends_who_ordered(order)
        left = portions_left(order, now=special.now) if special.is_ordering_open else 0
        if not ordered and not special.is_ordering_open:
            return None
        until = formats.moment(order.friends_until, zone)
        url = friends_url(order)
        invitation = invitation_to_friends(special, url, left=left, until=until)
        taken = None if left else _how_taken(order, ordered, special.now)
        most = _most_again(order, special)
        if most and not left:
            until = formats.moment(friends_until_for(offer, special.now), zone)
        return FriendsOnOrderPage(
            ordered,
            left,
            until,
            url,
            invitation,
            most,
            again=True,
            asked_for=order.friend_portions if left else 0,
            taken=taken,
        )
    if not special.is_ordering_open:
        return None
    reason = why_no_friends(order, now=special.now)
    with_another = reason == str(WITH_ANOTHER)
    most = 0 if reason else most_for_friends(offer, special.portions_left)
    until = formats.moment(friends_until_for(offer, special.now), zone)
    if not most and not with_another:
        return None
    invitation = invitation_to_friends(special, referral_url(order))
    return FriendsOnOrderPage([], 0, until, "", invitation, most, with_another=with_another)


def _most_again(order: PreOrder, special: Special) -> int:
    """How many portions a guest can reserve who did before, besides those that friends can still
    order."""
    if not special.is_ordering_open or why_no_friends(order, now=special.now):
        return 0
    taken = portions_ordered(order) + portions_left(order, now=special.now)
    return most_for_friends(special.offer, special.portions_left, taken=taken)


def _how_taken(order: PreOrder, ordered: list[Friend], now: datetime) -> FriendsTaken | None:
    """How friends took what is no longer reserved; None if it was released, or ended with the time
    or the order."""
    assert order.friends_until is not None
    if not order.friend_portions or order.friends_until <= now:
        return None
    if order.status == PreOrderStatus.CANCELLED:
        return None
    are_in = sum(friend.portions for friend in ordered) >= order.friend_portions
    return FriendsTaken.ORDERED if are_in else FriendsTaken.BEING_ORDERED


def why_no_friends(order: PreOrder, *, now: datetime) -> str:
    """Why the guest can't reserve portions for friends; empty if they can, or if only the special
    isn't open (`check_open`). The caller acts as the restaurant."""
    if not order.offer.friend_hours:
        return str(NOT_HERE)
    if order.friend_of_id:
        return str(WITH_A_FRIEND)
    orders = PreOrder.objects.filter(offer=order.offer)
    own = orders.filter(pk=order.pk)
    if not own.counted().exists():
        return str(NOT_IN)
    others = orders.exclude(pk=order.pk).exclude(status=PreOrderStatus.CANCELLED)
    of_guest = others.filter(friends_until__isnull=False)
    if order.customer_email and of_guest.filter(customer_email__iexact=order.customer_email):
        return str(WITH_ANOTHER)
    if order.friends_until is None or portions_left(order, now=now):
        return ""  # more are reserved until the same moment
    # Nobody keeps portions from others, one time after another, for friends who never order.
    if not portions_ordered(order):
        return str(NOT_YET)
    # Those whose time is over count until they are opened to everybody.
    is_reserving = any(left for _slot, left in own.left_for_friends())
    return str(NOT_YET) if is_reserving else ""


def who_left(order: PreOrder) -> str:
    """`Nora canceled. Your portion is still in.`, for the page of a friend's order, which says
    elsewhere until when it can be changed; empty if nobody left. The caller acts as the restaurant.
    """
    name = starter_who_left(order)
    if not name:
        return ""
    text = ngettext(
        "%(name)s canceled. Your portion is still in.",
        "%(name)s canceled. Your %(own)s portions are still in.",
        order.quantity,
    )
    return text % {"name": name, "own": order.quantity}


def most_for_friends(offer: SpecialOffer, left: int | None, *, taken: int = 0) -> int:
    """The most portions a guest can reserve for friends now, of those `left`, within one order's
    maximum, less those `taken`: still reserved for friends, or ordered by them, because these are
    reserved again if they cancel. No more than half of a special is reserved for friends in all, so
    that nobody sells it out without cards."""
    most = max(0, min(MAX_FRIEND_PORTIONS, offer.max_per_order) - taken)
    if offer.max_preorders is None or left is None:
        return most
    half = offer.max_preorders // 2 - portions_for_friends(offer)
    return max(0, min(most, half, left))


def reserve_for_friends(
    *,
    order: PreOrder,
    portions: int,
    slot_id: int | None = None,
    again: bool = False,
    asked_for: int | None = None,
    now: datetime,
) -> PreOrder:
    """Reserve portions for the guest's friends; `again` if a friend has ordered and the others that
    were reserved before are ordered, too, or open to everybody. While some are still reserved, it
    reserves more until the same moment: `asked_for` is how many the page showed, with those that
    friends have ordered. `slot_id` is the time that the guest's own order moves to, where all of
    them have room: both or neither. Sent again as it was, it changes nothing.

    Raises Conflict when the special or the order doesn't allow it, nothing is left, or the time has
    lost its room; Invalid for more than `most_for_friends`.
    """
    with transaction.atomic():
        order = lock_order(order.pk)
        if asked_for is not None:
            is_reserved = portions > 0 and order.friend_portions == asked_for + portions
        else:
            reserved = portions_left(order, now=now) if again else order.friend_portions
            is_reserved = portions > 0 and portions == reserved
        if not is_reserved:
            _reserve(order, portions, again=again, asked_for=asked_for, now=now)
        if slot_id is not None:
            order = _move(order, slot_id, field="friends", now=now)
    return order


def _reserve(
    order: PreOrder, portions: int, *, again: bool, asked_for: int | None, now: datetime
) -> None:
    offer = order.offer
    check_open(offer, now)
    if lapse_reservations(offer, now=now):
        recount(offer, now=now)
    if reason := why_no_friends(order, now=now):
        raise Conflict(reason)
    reserved = portions_left(order, now=now)
    # An old page showed another reservation, or none.
    if reserved or asked_for is not None:
        is_as_shown = reserved > 0 and asked_for == order.friend_portions
    else:
        is_as_shown = again or order.friends_until is None
    if not is_as_shown:
        raise Conflict(str(NOT_AS_SHOWN))
    cap = offer.max_preorders
    left = None if cap is None else cap - reserved_portions(offer)
    taken = portions_ordered(order) + reserved
    most = most_for_friends(offer, left, taken=taken)
    if not most:
        raise Conflict(_("No portions are left to reserve for friends."))
    if not 1 <= portions <= most:
        raise Invalid.because([FieldError("friends", _up_to(most, more=reserved > 0))])
    order.friend_portions = taken + portions
    if not reserved:  # else those that are reserved would be kept from others for longer
        order.friends_until = friends_until_for(offer, now)
    order.save(update_fields=["friend_portions", "friends_until"])
    _note(order, str(reserved), str(reserved + portions), now)
    recount(offer, now=now)


def _up_to(most: int, *, more: bool) -> str:
    if more:
        text = ngettext(
            "You can reserve 1 more portion.", "You can reserve 1 to %(most)d more portions.", most
        )
    else:
        text = ngettext(
            "You can reserve 1 portion for a friend.",
            "You can reserve 1 to %(most)d portions for friends.",
            most,
        )
    return text % {"most": most}


def move_with_friends(*, order: PreOrder, slot_id: int, now: datetime) -> PreOrder:
    """Move the guest's order to a time with room for it and for all that is reserved for friends.
    Safe to repeat. Raises Conflict when that time has lost its room, or it is too late."""
    with transaction.atomic():
        return _move(lock_order(order.pk), slot_id, field="move", now=now)


def _move(order: PreOrder, slot_id: int, *, field: str, now: datetime) -> PreOrder:
    """As if the guest changed the time, if all of them have room there; an error is about the
    `field`. The caller holds the order's lock."""
    if slot_id == order.pickup_slot_id:
        return order
    slots = slots_of(order.offer, besides=order.pk)
    reason = why_not_shared(order, slots, slot_id, portions_left(order, now=now))
    if reason:
        raise Conflict(reason, fields=[FieldError(field, reason)])
    return change_slot(order=order, slot_id=slot_id, now=now)


def open_to_everybody(*, order: PreOrder, now: datetime) -> PreOrder:
    """Reserve nothing for friends anymore; friends who ordered stay. Safe to repeat."""
    with transaction.atomic():
        order = lock_order(order.pk)
        if order.friend_portions:
            _note(order, str(order.friend_portions), "0", now)
            order.friend_portions = 0
            order.save(update_fields=["friend_portions"])
            recount(order.offer, now=now)
    return order


def _note(order: PreOrder, old: str, new: str, now: datetime) -> None:
    """In the order's own history."""
    order.transitions.create(
        restaurant_id=order.restaurant_id, field="friends", old=old, new=new, actor=GUEST, at=now
    )
