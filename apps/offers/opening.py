"""What is said of a special that can't be ordered yet, because its restaurant can't be paid."""

from datetime import datetime

from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.restaurants.opening_day import planned_opening


def when_it_opens(offer: SpecialOffer, deadline: str, *, now: datetime) -> str:
    """The day its restaurant plans to take orders, if there is one (decision 188), and the deadline
    in words; without a period, for a line of several sentences."""
    day = planned_opening(offer.restaurant, now=now, before=offer.deadline)
    text = _("Pre-orders open soon and close %(deadline)s.")
    if day is not None:
        text = _("Pre-orders are planned from %(day)s and close %(deadline)s.")
    facts = {"deadline": deadline, "day": formats.day(day) if day else ""}
    return text.removesuffix(".") % facts


def when_in_short(offer: SpecialOffer, *, now: datetime) -> str:
    """`Opens Tue, Dec 1 (planned)`, or `Opens soon`: for a label."""
    day = planned_opening(offer.restaurant, now=now, before=offer.deadline)
    if day is None:
        return _("Opens soon")
    return _("Opens %(day)s (planned)") % {"day": formats.unbroken(formats.day(day))}
