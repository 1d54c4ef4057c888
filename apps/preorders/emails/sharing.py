"""The invitation to a friend in an email to a guest: while the special is short of its minimum, and
when a friend's portions are free again."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from apps.common import formats
from apps.common.emails import EmailAction
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.preorders.core.access import guest_url
from apps.preorders.core.friends import friends_url, invitation_to_friends, portions_left
from apps.preorders.core.referrals import referral_url
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PreOrderStatus


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the guest can send: `url` in an email without buttons, and `ways` to send it."""

    text: str
    url: str
    ways: list[EmailAction]


def invitation(order: PreOrder, *, now: datetime) -> Invitation | None:
    """None once friends make no difference, or the guest's own order has ended."""
    special = Special(order.offer, now)
    if special.state != SeatsState.OPEN or order.status != PreOrderStatus.PENDING:
        return None
    url = friends_url(order) if order.friends_until else referral_url(order)
    return _to_send(order, special, url, special.whatsapp_url(url))


def invitation_of_another(order: PreOrder, *, now: datetime) -> Invitation | None:
    """After a friend of the guest's canceled: None once nobody can take that friend's portions, or
    the guest's own order has ended."""
    special = Special(order.offer, now)
    if order.friends_until is None or order.status != PreOrderStatus.PENDING:
        return None
    left = portions_left(order, now=now) if special.is_ordering_open else 0
    if not left and not special.takes_orders:
        return None
    url = friends_url(order)
    until = formats.moment(order.friends_until, special.restaurant.zone)
    text = invitation_to_friends(special, url, left=left, until=until)
    return _to_send(order, special, url, "https://wa.me/?" + urlencode({"text": text}))


def _to_send(order: PreOrder, special: Special, url: str, whatsapp: str) -> Invitation:
    if special.state == SeatsState.SOLD_OUT:
        text = _("Send your link to another friend:")  # what is left is reserved for friends
    else:
        text = _("%(sentence)s. Send it to a friend:") % {"sentence": special.sentence}
    ways = [
        EmailAction("WhatsApp", whatsapp),
        EmailAction(_("Other ways"), guest_url(order, then="#bring-friends")),
    ]
    return Invitation(text, url, ways)
