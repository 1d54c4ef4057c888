"""Page visits of the demo's specials, for the analytics to show."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from apps.offers.models import OfferViews, SpecialOffer

LOOKS_FOR_ONE_ORDER = 8
ONLY_LOOKED = 11  # of each special, beside those who ordered
# Monday to Sunday: relative traffic.
BUSY = (3, 3, 4, 5, 8, 9, 6)


def make_visits(
    offer: SpecialOffer, *, orders: int, opened: datetime, until: datetime, zone: ZoneInfo
) -> None:
    """Create visits for each day the special was open. Days that already have some keep them."""
    first, last = opened.astimezone(zone).date(), until.astimezone(zone).date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    wanted = orders * LOOKS_FOR_ONE_ORDER + ONLY_LOOKED
    whole = sum(BUSY[day.weekday()] for day in days)
    OfferViews.objects.bulk_create(
        [
            OfferViews(
                offer=offer,
                restaurant_id=offer.restaurant_id,
                day=day,
                visits=max(1, round(wanted * BUSY[day.weekday()] / whole)),
            )
            for day in days
        ],
        ignore_conflicts=True,
    )
