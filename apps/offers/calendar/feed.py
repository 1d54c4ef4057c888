"""The calendar as an iCalendar feed (RFC 5545) on a secret address that can be turned off.

The address is all that a calendar program can send, so anyone who knows it can read the feed, which
has no guest's name and no amount of money.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from icalendar import Calendar, Event, vUri

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats, rls
from apps.common.emails import PLATFORM_NAME, one_line
from apps.common.signed_ids import SignedIds
from apps.offers.models import CalendarFeed, SpecialOffer
from apps.offers.states import UNDECIDED, OfferStatus
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

ADDRESSES = SignedIds("offers.calendar_feed")
PAST = timedelta(days=90)  # how long a special that was served stays in the feed
MAX_SPECIALS = 500
REFRESH = timedelta(hours=1)  # a hint; programs decide themselves
STATUS = {OfferStatus.SUCCEEDED: "CONFIRMED", OfferStatus.FAILED: "CANCELLED"}


def feed_address(feed: CalendarFeed) -> str:
    return absolute_url(f"/calendar/{ADDRESSES.token(feed.pk)}.ics")


@transaction.atomic
def create_feed(*, restaurant: Restaurant, now: datetime) -> CalendarFeed:
    """A new address for the restaurant's calendar; an earlier one stops answering."""
    CalendarFeed.objects.filter(restaurant=restaurant).delete()
    feed = CalendarFeed.objects.create(restaurant=restaurant, created_at=now)
    about = ("calendar_feed", feed.pk)
    record(Kind.CALENDAR_FEED_CREATED, restaurant=restaurant, about=about, now=now)
    return feed


@transaction.atomic
def delete_feed(*, restaurant: Restaurant, now: datetime) -> None:
    """The address stops answering. Without one, nothing happens."""
    if CalendarFeed.objects.filter(restaurant=restaurant).delete()[0]:
        record(Kind.CALENDAR_FEED_DELETED, restaurant=restaurant, now=now)


def restaurant_of_feed(token: str) -> Restaurant | None:
    """Whose calendar this address shows; None if we didn't make it, or it was turned off."""
    feed_id: UUID | None = ADDRESSES.key_of(token)
    if feed_id is None:
        return None
    with rls.acting_as(rls.PLATFORM):
        feed = CalendarFeed.objects.select_related("restaurant").filter(pk=feed_id).first()
    return feed.restaurant if feed else None


def calendar_file(restaurant: Restaurant, *, now: datetime) -> bytes:
    """The feed: for each special its serve day, and the moment its orders close."""
    calendar = Calendar()
    calendar.add("prodid", f"-//{PLATFORM_NAME}//Specials//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    # RFC 7986, sections 5.1 and 5.7; the X- name is for older programs.
    name = one_line(f"Specials of {restaurant.name}")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    with rls.acting_as(restaurant):
        offers = SpecialOffer.objects.filter(
            restaurant=restaurant,
            serve_date__gte=(now - PAST).astimezone(restaurant.zone).date(),
            deleted_at=None,
        )
        for offer in offers.order_by("serve_date", "pk")[:MAX_SPECIALS]:
            offer.restaurant = restaurant
            calendar.add_component(_serve_day(offer, now))
            if offer.status in UNDECIDED:
                calendar.add_component(_deadline(offer, now))
    written: bytes = calendar.to_ical()
    return written


def _serve_day(offer: SpecialOffer, now: datetime) -> Event:
    event = _event(offer, "served", now)
    event.add("status", STATUS.get(OfferStatus(offer.status), "TENTATIVE"))
    event.add("summary", one_line(offer.name))
    event.add("dtstart", offer.serve_date)
    event.add("dtend", offer.serve_date + timedelta(days=1))
    closes = formats.moment(offer.deadline, offer.restaurant.zone)
    sold = formats.portions(offer.ordered_portions)
    event.add("description", f"{sold} ordered, minimum {offer.min_preorders}. Closes {closes}.")
    return event


def _deadline(offer: SpecialOffer, now: datetime) -> Event:
    event = _event(offer, "closes", now)
    event.add("summary", one_line(f"Orders close: {offer.name}"))
    # UTC needs no time zone rules; every program shows it in its own zone.
    event.add("dtstart", offer.deadline)
    event.add("dtend", offer.deadline)
    return event


def _event(offer: SpecialOffer, part: str, now: datetime) -> Event:
    event = Event()
    event.add("uid", f"{offer.pk}-{part}@{settings.ROOT_DOMAIN}")
    event.add("dtstamp", now)
    event.add("url", vUri(absolute_url(f"/restaurant/offers/{offer.pk}")))
    event.add("transp", "TRANSPARENT")  # it doesn't block the day
    return event
