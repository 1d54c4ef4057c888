"""The invitation to a friend in an email to a guest, while the special is short of its minimum."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from apps.common.emails import EmailAction
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.preorders.core.access import guest_url
from apps.preorders.core.friends import friends_url
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
    return Invitation(
        _("%(sentence)s. Send it to a friend:") % {"sentence": special.sentence},
        url,
        [
            EmailAction("WhatsApp", special.whatsapp_url(url)),
            EmailAction(_("Other ways"), guest_url(order, then="#bring-friends")),
        ],
    )
