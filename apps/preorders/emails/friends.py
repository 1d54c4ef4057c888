"""What emails say of a guest's friends: the one who invited them, and those they invited."""

from typing import Any

from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.preorders.core.decisive import reached_minimum
from apps.preorders.core.friends import (
    first_name,
    friends_who_ordered,
    portions_left,
    shown_first_name,
    starter_name,
    starter_time,
)
from apps.preorders.core.selectors import slot_label
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind


def with_friend(order: PreOrder) -> str:
    """Whose friend the guest is, and when that guest comes, if at another time."""
    name, time = starter_name(order), starter_time(order)
    if not name:
        return ""
    if time:
        return _("You're in with %(name)s, who comes at %(time)s.") % {"name": name, "time": time}
    return _("You're in with %(name)s.") % {"name": name}


def facts_of_friends(email: Email) -> dict[str, Any]:
    """What the template of an email about a friend needs."""
    order = email.order
    match email.kind:
        case EmailKind.FRIEND_CANCELED:
            return {"friend": first_name(order.friend_of.customer_name) if order.friend_of else ""}
        case EmailKind.FRIEND_MOVED:
            return {"friend": starter_name(order), "friends_time": starter_time(order)}
    return _facts_of_those_invited(email)


def _facts_of_those_invited(email: Email) -> dict[str, Any]:
    """Which friend it is about, how many are in, and what is still reserved for them."""
    order, friend, now = email.order, email.friend, clock.now()
    return {
        "friend": shown_first_name(friend) if friend else "",
        "friend_ordered": _what_they_ordered(friend) if friend else "",
        "has_decided": friend is not None and reached_minimum(friend, order.offer),
        "friends": len(friends_who_ordered(order)),
        "still_reserved": portions_left(order, now=now),
        "friends_until": order.friends_until
        and formats.moment(order.friends_until, order.offer.restaurant.zone),
    }


def _what_they_ordered(friend: PreOrder) -> str:
    """`1 portion, 5:30–6:00 PM`"""
    parts = (formats.portions(friend.quantity), slot_label(friend))
    return ", ".join(part for part in parts if part)
