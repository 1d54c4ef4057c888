"""POST /api/specials/{id}/seen: what counts as a visit, and how visits get into the tables."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.offers import visits
from apps.offers.models import OfferViews, SpecialOffer
from apps.offers.states import OfferStatus
from apps.offers.tasks import record_visits_task
from tests.factories import SpecialOfferFactory

pytestmark = pytest.mark.django_db
BROWSER = {"HTTP_USER_AGENT": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1"}


@pytest.fixture
def offer(cast, clock):
    return SpecialOfferFactory(restaurant=cast.restaurant)


@pytest.fixture
def see(api, cast):
    """Open the special's page with a browser without a cookie."""

    def see(offer, **headers):
        client = api(at=headers.pop("at", cast.restaurant))
        return client.post(f"/api/specials/{offer.pk}/seen", **(BROWSER | headers))

    return see


def written():
    record_visits_task()
    return [(row.offer_id, row.day, row.visits) for row in OfferViews.objects.order_by("day")]


def test_visits_are_written_down_by_day_of_the_restaurants_calendar(see, offer, clock, platform):
    for _ in range(3):
        answer = see(offer)
        assert (answer.status_code, answer.content) == (204, b"")
        assert not answer.cookies
    assert not OfferViews.objects.exists()
    # Half past eleven in the evening in New York, the next day in UTC; then past midnight there.
    SpecialOffer.objects.update(deadline=clock.now + timedelta(days=3))
    clock.set(datetime(2027, 3, 23, 3, 30, tzinfo=UTC))
    see(offer)
    clock.advance(hours=1)
    see(offer)
    assert written() == [
        (offer.pk, date(2027, 3, 22), 4),
        (offer.pk, date(2027, 3, 23), 1),
    ]


def test_a_minutes_counts_are_added_to_those_before_and_only_once(see, offer, platform):
    see(offer)
    written()
    see(offer)
    see(offer)
    assert written() == written() == [(offer.pk, date(2027, 3, 22), 3)]
    assert OfferViews.objects.get().restaurant_id == offer.restaurant_id


def test_what_a_worker_left_behind_is_written_by_the_next(see, offer, platform):
    see(offer)
    server = visits.counting_server()
    server.rename(
        visits.counting_key(visits.VISIT_COUNTS), visits.counting_key(visits.COUNTS_BEING_SAVED)
    )
    see(offer)
    assert written() == [(offer.pk, date(2027, 3, 22), 1)]
    assert written() == [(offer.pk, date(2027, 3, 22), 2)]


def test_nothing_is_written_without_visits(offer, platform):
    assert visits.record_visits() == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_DNT": "1"},
        {"HTTP_SEC_GPC": "1"},
        {"HTTP_USER_AGENT": ""},
        {"HTTP_USER_AGENT": "Mozilla/5.0 (compatible; Googlebot/2.1)"},
        {"HTTP_USER_AGENT": "facebookexternalhit/1.1"},
    ],
    ids=["do not track", "global privacy control", "no browser", "robot", "link preview"],
)
def test_who_asks_not_to_be_counted_or_is_no_person_is_not(see, offer, platform, headers):
    assert see(offer, **headers).status_code == 204
    assert written() == []


@pytest.mark.parametrize("status", [OfferStatus.CLOSING, OfferStatus.FAILED, OfferStatus.DELETED])
def test_a_special_that_is_over_is_not_counted(see, offer, platform, status):
    SpecialOffer.objects.update(status=status)
    assert see(offer).status_code == 204
    assert written() == []


def test_another_restaurants_host_does_not_know_it(see, cast, offer, platform):
    assert see(offer, at=cast.other).status_code == 404
    assert written() == []


def test_an_address_counts_a_limited_number_of_visits(see, offer, platform):
    assert [see(offer).status_code for _ in range(61)][-1] == 429
    assert written()[0][2] == 60
