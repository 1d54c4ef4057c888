"""The owner's calendar of specials, and its feed."""

from datetime import UTC, date, datetime, timedelta

import pytest
from icalendar import Calendar

from apps.common import rls
from apps.offers.models import CalendarFeed
from apps.offers.series import services
from apps.offers.states import OfferStatus
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory
from tests.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture
def lasagna(cast, clock):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Lasagna",
        serve_date=date(2027, 3, 25),
        deadline=datetime(2027, 3, 23, 22, tzinfo=UTC),
        min_preorders=8,
        ordered_portions=5,
    )


@pytest.fixture
def address(cast, api, clock):
    owner = api(cast.owner)
    owner.upload("/restaurant/calendar/feed", {})
    page = owner.get("/restaurant/calendar").content.decode()
    found = page.split('readonly value="')[1].split('"')[0]
    return "/calendar/" + found.split("/calendar/")[1]


def events(answer):
    return {
        str(each["SUMMARY"]): each for each in Calendar.from_ical(answer.content).walk("VEVENT")
    }


def test_the_month_shows_specials_and_what_is_planned(lasagna, cast, api, clock):
    with rls.acting_as(cast.restaurant):
        services.create_series(
            restaurant=cast.restaurant,
            offer_id=lasagna.pk,
            terms=services.suggested_terms(lasagna),
            now=clock.now,
        )
    page = api(cast.owner).get("/restaurant/calendar")
    words = text_of(page)
    assert "March 2027" in words
    assert "Lasagna 3 more and it's on Closes Tue 6:00 PM" in words
    assert "Every Thursday" in words
    april = api(cast.owner).get("/restaurant/calendar?month=2027-04").content.decode()
    assert april.count("Lasagna") >= 2 * 5  # five Thursdays, in the month and in the agenda


def test_a_phone_shows_what_is_to_come_and_folds_what_was(lasagna, cast, api, clock):
    SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Ribollita",
        serve_date=NOON.date() - timedelta(days=5),
        status=OfferStatus.SUCCEEDED,
        ordered_portions=9,
    )
    page = api(cast.owner).get("/restaurant/calendar").content.decode()
    agenda = page[page.index('<div class="calendar-agenda') :]
    folded, to_come = agenda.split("</details>")
    assert "Earlier in March (1)" in folded
    assert "Ribollita" in folded
    assert "Went ahead · 9 portions" in folded
    assert "Lasagna" in to_come
    assert "Lasagna" not in folded
    assert 'href="/restaurant?tab=specials&amp;new=1"' in page


def test_the_kitchen_is_not_offered_to_add_a_special(lasagna, cast, api, clock):
    page = api(cast.kitchen).get("/restaurant/calendar").content.decode()
    assert "Lasagna" in page
    assert "new=1" not in page


def test_a_month_without_specials_says_so(cast, api, clock):
    page = api(cast.owner).get("/restaurant/calendar?month=2027-08").content.decode()
    assert "Nothing is served in August." in page


@pytest.mark.parametrize("month", ["", "2027-13", "x", "0001-01", "2027-1'"])
def test_a_month_that_is_none_shows_this_month(cast, api, clock, month):
    page = api(cast.owner).get("/restaurant/calendar", {"month": month})
    assert "March 2027" in page.content.decode()


def test_the_feed_has_the_serve_day_and_the_deadline(lasagna, address, client):
    answer = client.get(address)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = events(answer)
    assert found["Lasagna"].decoded("DTSTART") == date(2027, 3, 25)
    assert found["Lasagna"]["STATUS"] == "TENTATIVE"
    assert str(found["Lasagna"]["DESCRIPTION"]).startswith("5 portions ordered, minimum 8.")
    closing = found["Orders close: Lasagna"].decoded("DTSTART")
    assert closing == datetime(2027, 3, 23, 22, tzinfo=UTC)


def test_the_feed_shows_only_the_own_restaurants_specials(address, client, clock):
    SpecialOfferFactory(name="Somebody else's", serve_date=date(2027, 3, 25))
    assert events(client.get(address)) == {}


def test_a_new_address_ends_the_old_one_and_turning_it_off_ends_both(address, client, cast, api):
    owner = api(cast.owner)
    owner.upload("/restaurant/calendar/feed", {"action": "replace"})
    assert client.get(address).status_code == 404
    assert CalendarFeed.objects.count() == 1
    owner.upload("/restaurant/calendar/feed", {"action": "delete"})
    assert not CalendarFeed.objects.exists()


def test_an_address_that_we_did_not_make_finds_nothing(client, db):
    assert client.get("/calendar/0123456789abcdef.ics").status_code == 404
