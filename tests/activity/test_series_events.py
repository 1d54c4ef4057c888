"""Weekly series and the calendar's address leave events."""

import pytest

from apps.activity.models import LoggedEvent
from apps.offers.models import OfferSeries
from tests.factories import SpecialOfferFactory
from tests.offers.test_series import FORM

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]


def test_a_series_leaves_who_started_changed_and_stopped_it(cast, api):
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    owner = api(cast.owner)
    owner.upload(f"/restaurant/offers/{offer.pk}/repeat", FORM)
    series = OfferSeries.objects.get()
    page = f"/restaurant/series/{series.pk}"
    owner.upload(page, FORM | {"special_price": "22.00"})
    owner.upload(f"{page}/skip", {"date": series.next_serve_date.isoformat()})
    owner.upload(f"{page}/stop", {})
    events = LoggedEvent.objects.filter(object_kind="series").order_by("pk")
    assert [(each.kind, each.actor_id, each.details) for each in events] == [
        ("series_created", cast.owner.pk, {}),
        ("series_changed", cast.owner.pk, {"fields": ["special_price"]}),
        ("series_changed", cast.owner.pk, {"skipped": series.next_serve_date.isoformat()}),
        ("series_stopped", cast.owner.pk, {}),
    ]


def test_the_calendars_address_leaves_events(cast, api):
    owner = api(cast.owner)
    owner.upload("/restaurant/calendar/feed", {})
    owner.upload("/restaurant/calendar/feed", {"action": "delete"})
    kinds = list(LoggedEvent.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["calendar_feed_created", "calendar_feed_deleted"]
