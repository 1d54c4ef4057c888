"""Returns: an automatic email to followers who asked for a dish, once it can be ordered.

They asked on the page of a special that couldn't be ordered: it was over, sold out, or full at
every pickup time, or its restaurant took no orders yet. A special gets one such email, and a wish
is granted once (decision 178). Guests whose hold was released when the dish failed hear of it as
`EmailKind.REJOIN`.
"""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from apps.marketing.campaigns.segments import asking_for, recipients
from apps.marketing.campaigns.services import has_address
from apps.marketing.models import Campaign
from apps.offers.models import SpecialOffer
from apps.offers.storefront import takes_orders
from apps.preorders.emails.reminders import announceable, is_daytime
from apps.preorders.models import Subscriber


def wanted_specials(*, now: datetime) -> QuerySet[SpecialOffer]:
    """Open specials of a dish that followers asked for, without a return."""
    followers = Subscriber.objects.filter(
        restaurant=OuterRef("restaurant"), status=Subscriber.Status.CONFIRMED
    )
    asked = Exists(asking_for(followers, special=OuterRef("pk"), name=OuterRef("name")))
    return announceable(now=now).filter(asked).exclude(campaigns__kind=Campaign.Kind.RETURN)


def queue_returns(*, now: datetime) -> int:
    """Create the returns that are due; returns how many. The caller acts as the platform.

    A dish on several dates is announced once, with the date that closes first: the next pass finds
    nobody who still asks for it.
    """
    found = SpecialOffer.objects.for_display().filter(pk__in=wanted_specials(now=now))
    queued: set[tuple[object, str]] = set()
    for offer in found.order_by("deadline", "pk")[:200]:
        restaurant, dish = offer.restaurant, (offer.restaurant_id, offer.name.lower())
        if dish in queued or not takes_orders(offer, now):
            continue
        if not has_address(restaurant) or not is_daytime(now, restaurant.zone):
            continue
        asking = recipients(
            restaurant, Campaign.Segment.MISSED, special_offer=offer, kind=Campaign.Kind.RETURN
        )
        if asking.exists() and not _is_being_written(offer):
            queued.add(dish)
            _queue(offer, now=now)
    return len(queued)


def _is_being_written(offer: SpecialOffer) -> bool:
    """Whether the same dish has a return whose invitations aren't all written."""
    return Campaign.objects.filter(
        kind=Campaign.Kind.RETURN,
        restaurant=offer.restaurant_id,
        special_offer__name__iexact=offer.name,
        is_invited=False,
    ).exists()


def _queue(offer: SpecialOffer, *, now: datetime) -> None:
    """If two workers try at once, a constraint lets one of them."""
    Campaign.objects.bulk_create(
        [
            Campaign(
                restaurant_id=offer.restaurant_id,
                kind=Campaign.Kind.RETURN,
                segment=Campaign.Segment.MISSED,
                special_offer=offer,
                send_at=now,
                created_at=now,
            )
        ],
        ignore_conflicts=True,
    )
