"""What emails say of a guest's friends: the one who invited them, and those they invited."""

from typing import Any

from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.emails import one_line
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
    """With whom a friend comes, or when that guest comes, if at another time; empty for guests whom
    nobody invited."""
    facts = {"name": one_line(starter_name(order)), "time": starter_time(order)}
    if not facts["name"]:
        return ""
    return (_("%(name)s comes at %(time)s") if facts["time"] else _("With %(name)s")) % facts


def dinner_of_friend(friend: PreOrder, order: PreOrder) -> dict[str, str | list[str]]:
    """What the email to `order`'s guest says of the dinner of a friend who is in: when, how,
    and what, and below it when the guest comes, if at another time."""
    name, own = one_line(shown_first_name(friend)), slot_label(order)
    is_apart = bool(own) and friend.pickup_slot_id != order.pickup_slot_id
    return {
        "when": friend.serving.text,
        "when_parts": friend.serving.parts,
        "beside": _("You come at %(time)s") % {"time": own} if is_apart else "",
        "whose": _("%(name)s's order") % {"name": name} if name else _("Their order"),
        "sum": formats.portions(friend.quantity),
    }


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
