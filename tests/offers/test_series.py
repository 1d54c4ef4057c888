"""Weekly series: when each special opens and closes, and that each is published exactly once."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.db import IntegrityError

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.common.errors import Conflict, Invalid
from apps.offers.models import OfferSeries, PickupSlot, SeriesDate, SpecialOffer
from apps.offers.series import publication, services
from apps.offers.series.schedule import dates_of, next_dates
from apps.offers.series.selectors import dates_to_come
from apps.offers.tasks import publish_series_task
from apps.restaurants.models import Restaurant
from tests.factories import SpecialOfferFactory

pytestmark = pytest.mark.django_db
NEW_YORK = ZoneInfo("America/New_York")
# The clock's noon is Monday, March 22nd 2027; this special was served the Thursday before.
LAST_THURSDAY, THURSDAY = date(2027, 3, 18), date(2027, 3, 25)
SIX_PM_TUESDAY = datetime(2027, 3, 23, 22, tzinfo=UTC)  # of the week with THURSDAY


@pytest.fixture
def osso_buco(cast, clock):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        serve_date=LAST_THURSDAY,
        deadline=datetime(2027, 3, 16, 22, tzinfo=UTC),
        min_preorders=3,
        max_preorders=12,
    )


@pytest.fixture
def series(osso_buco, cast, clock):
    with rls.acting_as(cast.restaurant):
        return services.create_series(
            restaurant=cast.restaurant,
            offer_id=osso_buco.pk,
            terms=services.suggested_terms(osso_buco),
            now=clock.now,
        )


def sweep(run_tasks):
    publish_series_task()
    run_tasks()


@pytest.fixture
def published(platform):
    return lambda: list(
        SpecialOffer.objects.exclude(serve_date=LAST_THURSDAY).order_by("serve_date")
    )


# --- dates ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("serve_date", "deadline"),
    [
        (date(2027, 3, 11), datetime(2027, 3, 9, 23, tzinfo=UTC)),  # 6 PM EST
        (date(2027, 3, 18), datetime(2027, 3, 16, 22, tzinfo=UTC)),  # 6 PM EDT
        (date(2027, 11, 11), datetime(2027, 11, 9, 23, tzinfo=UTC)),  # and EST again
    ],
)
def test_a_deadline_keeps_its_local_hour_when_the_clocks_change(serve_date, deadline):
    series = OfferSeries(
        weekday=3, deadline_days_before=2, deadline_time=time(18), opens_days_before=6
    )
    assert dates_of(series, serve_date, NEW_YORK).deadline == deadline


def test_a_special_opens_no_longer_before_its_deadline_than_a_hold_lasts():
    series = OfferSeries(
        weekday=3, deadline_days_before=2, deadline_time=time(18), opens_days_before=7
    )
    # The clocks go back on November 7th: seven local days before are an hour more than a week.
    dates = dates_of(series, date(2027, 11, 11), NEW_YORK)
    assert dates.deadline - dates.opens_at == timedelta(days=7)


def test_a_special_run_again_has_its_weekday_and_hours(osso_buco, clock):
    assert next_dates(osso_buco, now=clock.now, zone=NEW_YORK) == (THURSDAY, SIX_PM_TUESDAY)


def test_a_special_run_again_after_its_hour_waits_for_the_next_week(osso_buco):
    found = next_dates(osso_buco, now=SIX_PM_TUESDAY, zone=NEW_YORK)
    assert found == (date(2027, 4, 1), SIX_PM_TUESDAY + timedelta(days=7))


# --- publishing -----------------------------------------------------------------------------------
def test_a_series_publishes_its_next_special_with_its_pickup_times(
    series, osso_buco, published, run_tasks, platform
):
    PickupSlot.objects.create(
        offer=osso_buco,
        restaurant=osso_buco.restaurant,
        starts_at=datetime(2027, 3, 18, 21, tzinfo=UTC),
        ends_at=datetime(2027, 3, 18, 22, tzinfo=UTC),
        capacity=5,
    )
    sweep(run_tasks)
    (offer,) = published()
    assert (offer.name, offer.serve_date, offer.deadline) == (
        "Osso buco", THURSDAY, SIX_PM_TUESDAY,
    )  # fmt: skip
    assert (offer.min_preorders, offer.max_preorders, offer.ordered_portions) == (3, 12, 0)
    slot = offer.slots.get()
    assert (slot.starts_at, slot.capacity) == (datetime(2027, 3, 25, 21, tzinfo=UTC), 5)
    series.refresh_from_db()
    assert series.next_serve_date == date(2027, 4, 1)
    assert series.due_at == datetime(2027, 3, 24, 22, tzinfo=UTC)  # six days before its deadline


def test_a_series_publishes_each_week_once_however_often_the_sweep_runs(
    series, published, run_tasks, clock
):
    for _ in range(15):
        sweep(run_tasks)
        clock.advance(days=1)
        sweep(run_tasks)
    assert [each.serve_date for each in published()] == [
        THURSDAY, date(2027, 4, 1), date(2027, 4, 8),
    ]  # fmt: skip


def test_a_crash_after_publishing_leaves_no_special_and_the_next_sweep_publishes_one(
    series, published, run_tasks, monkeypatch, clock
):
    def die(*args, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, rls.acting_as(series.restaurant):
        patch.setattr(publication, "_write", die)
        with pytest.raises(KeyboardInterrupt):
            publication.publish_due(series.pk, now=clock.now)
    assert published() == []
    sweep(run_tasks)
    sweep(run_tasks)
    assert len(published()) == 1


def test_the_database_refuses_a_second_row_for_a_date(series, platform, clock):
    row = {"series": series, "restaurant": series.restaurant, "serve_date": THURSDAY}
    SeriesDate.objects.create(**row, status="skipped", at=clock.now)
    with pytest.raises(IntegrityError):
        SeriesDate.objects.create(**row, status="skipped", at=clock.now)


def test_a_refused_special_tells_the_owner_once_and_is_published_when_it_can_be(
    series, published, run_tasks, clock, cast, monkeypatch, platform
):
    def refuse(**_):
        raise Conflict("Complete your profile first.")

    with monkeypatch.context() as patch:
        patch.setattr(publication, "publish_offer", refuse)
        for _ in range(5):
            sweep(run_tasks)
            clock.advance(minutes=16)
    assert published() == []
    (message,) = mail.outbox
    assert message.to == [cast.owner.email]
    assert message.subject == "Your weekly special Osso buco isn't published yet"
    assert "Complete your profile first." in message.body
    assert "Tue, Mar 23, 6:00 PM EDT" in message.body
    assert "Thu, Mar 25\nOsso buco, $24.00 a portion\n" in message.body
    sweep(run_tasks)
    assert [each.serve_date for each in published()] == [THURSDAY]
    assert SeriesDate.objects.get().status == "published"
    assert len(mail.outbox) == 1


def test_a_date_whose_deadline_passed_is_missed_and_the_next_is_published(
    series, published, run_tasks, clock, platform
):
    clock.set(SIX_PM_TUESDAY + timedelta(days=2))
    sweep(run_tasks)
    assert [each.serve_date for each in published()] == [date(2027, 4, 1)]
    assert SeriesDate.objects.get(serve_date=THURSDAY).status == "missed"


def test_a_suspended_restaurant_publishes_nothing_and_hears_nothing(
    series, published, run_tasks, cast, platform
):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(status=Restaurant.Status.SUSPENDED)
    sweep(run_tasks)
    assert published() == []
    assert mail.outbox == []


# --- skipping, stopping, changing -----------------------------------------------------------------
def test_a_skipped_date_is_not_published_and_the_week_after_is(
    series, published, run_tasks, clock, platform
):
    services.skip_date(
        restaurant=series.restaurant, series_id=series.pk, serve_date=THURSDAY, now=clock.now
    )
    sweep(run_tasks)
    assert published() == []
    clock.set(datetime(2027, 3, 24, 23, tzinfo=UTC))
    sweep(run_tasks)
    assert [each.serve_date for each in published()] == [date(2027, 4, 1)]


def test_a_date_that_is_skipped_by_mistake_is_published_after_all(
    series, published, run_tasks, clock, platform
):
    facts = {"restaurant": series.restaurant, "series_id": series.pk, "serve_date": THURSDAY}
    services.skip_date(**facts, now=clock.now)
    sweep(run_tasks)
    services.unskip_date(**facts, now=clock.now)
    sweep(run_tasks)
    assert [each.serve_date for each in published()] == [THURSDAY]


def test_a_published_date_cannot_be_skipped(series, published, run_tasks, clock, platform):
    sweep(run_tasks)
    with pytest.raises(Conflict, match="already published"):
        services.skip_date(
            restaurant=series.restaurant, series_id=series.pk, serve_date=THURSDAY, now=clock.now
        )


def test_a_day_that_is_not_the_series_cannot_be_skipped(series, clock, platform):
    with pytest.raises(Invalid):
        services.skip_date(
            restaurant=series.restaurant,
            series_id=series.pk,
            serve_date=THURSDAY + timedelta(days=1),
            now=clock.now,
        )
    assert not SeriesDate.objects.exists()


def test_a_stopped_series_publishes_nothing_more(series, published, run_tasks, clock, platform):
    sweep(run_tasks)
    services.stop_series(restaurant=series.restaurant, series_id=series.pk, now=clock.now)
    clock.advance(days=20)
    sweep(run_tasks)
    assert [each.serve_date for each in published()] == [THURSDAY]
    kinds = list(LoggedEvent.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["series_created", "special_published", "series_stopped"]


def test_another_weekday_begins_in_the_week_after_the_last_special(
    series, run_tasks, clock, platform
):
    sweep(run_tasks)
    terms = {**services.suggested_terms(series.pattern), "weekday": 4}
    changed = services.change_series(
        restaurant=series.restaurant, series_id=series.pk, terms=terms, now=clock.now
    )
    assert changed.next_serve_date == date(2027, 4, 2)


def test_a_special_repeats_in_one_series_only(series, osso_buco, clock, platform):
    with pytest.raises(Conflict, match="already repeats"):
        services.create_series(
            restaurant=series.restaurant,
            offer_id=osso_buco.pk,
            terms=services.suggested_terms(osso_buco),
            now=clock.now,
        )


# --- the pages ------------------------------------------------------------------------------------
FORM = {
    "weekday": "3",
    "deadline_days_before": "2",
    "deadline_time": "18:00",
    "opens_days_before": "6",
    "regular_price": "30.00",
    "special_price": "24.00",
    "min_preorders": "3",
    "max_preorders": "",
}


def test_an_owner_repeats_a_special_from_its_page(osso_buco, cast, api, platform):
    owner = api(cast.owner)
    address = f"/restaurant/offers/{osso_buco.pk}/repeat"
    page = owner.get(address).content.decode()
    assert 'value="18:00"' in page
    assert '<option value="3" selected>Thursday</option>' in page
    answer = owner.upload(address, FORM)
    series = OfferSeries.objects.get()
    assert answer["Location"] == f"/restaurant/series/{series.pk}"
    page = owner.get(answer["Location"]).content.decode()
    assert "Every Thursday" in page
    assert "Opens Wed, Mar 17, 6:00 PM EDT<br>Closes Tue, Mar 23, 6:00 PM EDT" in page
    assert owner.get(address)["Location"] == f"/restaurant/series/{series.pk}"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"special_price": "31"}, "Special offer price must be less than regular price."),
        ({"special_price": "0.10"}, "The price must be at least $0.50"),
        ({"min_preorders": "0"}, "Enter a whole number of portions, at least 1."),
        ({"max_preorders": "2"}, "Maximum pre-orders must be at least the minimum."),
        ({"deadline_time": "25:00"}, "Enter a time, such as 6:00 PM."),
        ({"weekday": "7"}, "Choose one from the list."),
        ({"special_price": "NaN"}, "Enter an amount above zero"),
    ],
)
def test_a_series_with_an_error_says_what_is_wrong_and_writes_nothing(
    osso_buco, cast, api, change, sentence, platform
):
    address = f"/restaurant/offers/{osso_buco.pk}/repeat"
    answer = api(cast.owner).upload(address, FORM | change)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not OfferSeries.objects.exists()


def test_an_outsider_finds_no_series_and_cannot_stop_it(series, cast, api, platform):
    page = f"/restaurant/series/{series.pk}"
    assert api(cast.outsider).get(page).status_code == 404
    stop = api(cast.outsider).upload(f"{page}/stop", {})
    assert stop.status_code == 404
    series.refresh_from_db()
    assert series.stopped_at is None


def test_a_series_page_lists_published_skipped_and_planned_dates(
    series, run_tasks, cast, api, clock, platform
):
    sweep(run_tasks)
    services.skip_date(
        restaurant=series.restaurant,
        series_id=series.pk,
        serve_date=date(2027, 4, 1),
        now=clock.now,
    )
    dates = dates_to_come(series, now=clock.now)
    assert [each.status for each in dates[:3]] == ["published", "skipped", "planned"]
    page = api(cast.owner).get(f"/restaurant/series/{series.pk}").content.decode()
    assert "Skipped: nothing is published" in page
    assert "Don't skip Thu, Apr 1" in page


def test_kitchen_staff_see_no_buttons_and_cannot_change_a_series(series, cast, api, platform):
    kitchen = api(cast.kitchen)
    page = f"/restaurant/series/{series.pk}"
    assert "Stop weekly special" not in kitchen.get(page).content.decode()
    assert kitchen.upload(page, FORM).status_code == 403
    assert kitchen.upload(f"{page}/stop", {}).status_code == 403
    series.refresh_from_db()
    assert series.stopped_at is None
