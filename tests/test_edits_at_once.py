"""Two who edit the same thing at once: neither silently undoes the other (decision 132)."""

from datetime import date, datetime
from typing import Any

import pytest

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.offers.branding import draft_of
from apps.offers.models import Branding, OfferSeries, PickupSlot
from apps.offers.series import services
from apps.preorders.models import NoticePreference
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast
from tests.factories import SpecialOfferFactory
from tests.pages import fields_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
CONFLICT = "while you had it open. Your changes aren't saved yet."


@pytest.fixture
def owner(api: Any, cast: Cast) -> Any:
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
    return api(cast.owner)


def edited(fields: dict[str, list[str]], **typed: str | list[str]) -> dict[str, Any]:
    """The form with something typed; an unchecked box, [], isn't sent."""
    return {name: value for name, value in {**fields, **typed}.items() if value != []}


class TestBranding:
    PAGE = "/restaurant/branding"
    BLUE, GREEN = "#1d5b8f", "#2c6a3b"

    @pytest.fixture
    def draft(self, cast: Cast) -> Any:
        def read() -> Branding:
            found = draft_of(cast.restaurant)
            assert found
            return found

        return read

    @pytest.fixture
    def opened(self, owner: Any) -> Any:
        return lambda: fields_of(owner.get(self.PAGE), with_field="accent")

    @pytest.fixture
    def save(self, owner: Any) -> Any:
        return lambda *args, **typed: owner.upload(f"{self.PAGE}/save", edited(*args, **typed))

    def test_a_form_opened_before_another_save_saves_nothing_and_shows_both(
        self, save: Any, opened: Any, draft: Any
    ) -> None:
        seen = opened()
        assert save(seen, accent=self.BLUE, hides_platform="on").status_code == 302
        page = save(seen, footer="Since 1968", accent=self.GREEN)
        assert page.status_code == 409
        told = text_of(page)
        assert f"Someone changed your branding {CONFLICT}" in told
        assert f"Color: yours is {self.GREEN} , saved is {self.BLUE}" in told
        assert "Leave our name off your pages: now on" in told
        assert (draft().accent, draft().footer, draft().hides_platform) == (self.BLUE, "", True)

        merged = fields_of(page, with_field="accent")
        assert (merged["accent"], merged["footer"]) == ([self.GREEN], ["Since 1968"])
        assert merged["hides_platform"] == ["on"]
        assert save(merged).status_code == 302
        assert (draft().accent, draft().footer) == (self.GREEN, "Since 1968")
        assert draft().hides_platform is True

    def test_two_first_saves_conflict_as_well(self, save: Any, opened: Any, draft: Any) -> None:
        seen = opened()
        assert save(seen, footer="Theirs").status_code == 302
        assert save(seen, footer="Mine").status_code == 409
        assert draft().footer == "Theirs"

    def test_a_form_sent_twice_is_no_conflict(self, save: Any, opened: Any) -> None:
        seen = opened()
        assert save(seen, footer="").status_code == 302
        assert save(opened(), footer="Since 1968").status_code == 302

    @pytest.mark.parametrize("action", ["publish", "discard"])
    def test_only_the_look_that_was_seen_is_published_or_discarded(
        self, action: str, owner: Any, save: Any, opened: Any, draft: Any, cast: Cast
    ) -> None:
        save(opened(), footer="Mine")
        seen = {"version": opened()["version"]}
        save(opened(), footer="Theirs")
        page = owner.upload(f"{self.PAGE}/{action}", seen)
        assert page.status_code == 302
        assert "Someone changed your branding in the meantime." in text_of(owner.get(self.PAGE))
        assert draft().footer == "Theirs"
        assert not Branding.objects.filter(is_published=True).exists()
        owner.upload(f"{self.PAGE}/{action}", {"version": opened()["version"]})
        assert Branding.objects.filter(is_published=True).exists() == (action == "publish")


class TestSeries:
    @pytest.fixture
    def series(self, cast: Cast) -> OfferSeries:
        offer = SpecialOfferFactory(
            restaurant=cast.restaurant,
            serve_date=date(2027, 3, 18),
            deadline=datetime.fromisoformat("2027-03-16T22:00Z"),
            min_preorders=3,
        )
        terms = services.suggested_terms(offer)
        with rls.acting_as(cast.restaurant):
            return services.create_series(
                restaurant=cast.restaurant, offer_id=offer.pk, terms=terms, now=NOON
            )

    def test_a_form_opened_before_another_save_saves_nothing_and_shows_both(
        self, owner: Any, series: OfferSeries
    ) -> None:
        page = f"/restaurant/series/{series.pk}"
        seen = fields_of(owner.get(page), with_field="weekday")
        theirs = edited(seen, special_price="20", deadline_time="17:00")
        assert owner.upload(page, theirs).status_code == 302
        answer = owner.upload(page, edited(seen, special_price="21", min_preorders="4"))
        assert answer.status_code == 409
        told = text_of(answer)
        assert f"Someone changed this weekly special {CONFLICT}" in told
        assert "Special price: yours is 21 , saved is 20.00" in told
        assert "At: now 17:00" in told
        series.refresh_from_db()
        assert (str(series.special_price), series.min_preorders) == ("20.00", 3)
        assert LoggedEvent.objects.filter(kind="series_changed").count() == 1

        merged = fields_of(answer, with_field="weekday")
        assert owner.upload(page, merged).status_code == 302
        series.refresh_from_db()
        assert (str(series.special_price), series.min_preorders) == ("21.00", 4)
        assert f"{series.deadline_time:%H:%M}" == "17:00"

    def test_skipping_a_date_is_no_other_version(self, owner: Any, series: OfferSeries) -> None:
        page = f"/restaurant/series/{series.pk}"
        seen = fields_of(owner.get(page), with_field="weekday")
        owner.upload(f"{page}/skip", {"date": "2027-03-25"})
        assert owner.upload(page, edited(seen, min_preorders="4")).status_code == 302


class TestNotices:
    PAGE = "/restaurant/notices"

    def test_a_form_opened_on_another_device_before_saves_nothing_and_shows_both(
        self, owner: Any
    ) -> None:
        seen = fields_of(owner.get(self.PAGE), with_field="wanted")
        fewer = [kind for kind in seen["wanted"] if kind != "first_order"]
        assert owner.upload(self.PAGE, edited(seen, wanted=fewer)).status_code == 302
        page = owner.upload(self.PAGE, edited(seen, quiet_from="23:00"))
        assert page.status_code == 409
        assert f"Someone changed your notices {CONFLICT}" in text_of(page)
        stored = NoticePreference.objects.get()
        assert (stored.first_order, stored.quiet_from.hour) == (False, 22)

        assert owner.upload(self.PAGE, fields_of(page, with_field="wanted")).status_code == 302
        stored.refresh_from_db()
        assert (stored.first_order, stored.quiet_from.hour) == (False, 23)

    def test_an_invalid_form_says_so_and_keeps_what_it_was_opened_with(self, owner: Any) -> None:
        seen = fields_of(owner.get(self.PAGE), with_field="wanted")
        page = owner.upload(self.PAGE, edited(seen, quiet_from="1", wanted=[]))
        assert page.status_code == 400
        again = fields_of(page, with_field="version")
        assert again["initial-quiet_from"] == ["22:00"]
        assert again["initial-wanted"] == seen["wanted"]


class TestEmbedSites:
    PATH = "/api/restaurant/embed-sites"

    def test_a_change_of_an_older_list_is_refused_and_says_what_it_is_now(
        self, owner: Any, cast: Cast
    ) -> None:
        first = owner.put(self.PATH, {"sites": []}).json()
        seen = first["version"]
        theirs = owner.put(self.PATH, {"sites": ["a.example.org"], "version": seen}).json()
        answer = owner.put(self.PATH, {"sites": ["b.example.org"], "version": seen})
        assert answer.status_code == 409
        assert answer.json()["code"] == "edited_meanwhile"
        assert answer.json()["current"] == theirs
        assert Restaurant.objects.get(pk=cast.restaurant.pk).embed_sites == ["a.example.org"]
        both = ["a.example.org", "b.example.org"]
        assert (
            owner.put(self.PATH, {"sites": both, "version": theirs["version"]}).json()["sites"]
            == both
        )


class TestPickupTimes:
    EARLY = {"startsAt": "2027-03-24T17:00", "endsAt": "2027-03-24T18:00"}
    LATE = {"startsAt": "2027-03-24T18:00", "endsAt": "2027-03-24T19:00"}

    def test_a_change_of_older_times_is_refused_and_says_what_they_are_now(
        self, owner: Any, cast: Cast
    ) -> None:
        offer = SpecialOfferFactory(restaurant=cast.restaurant, serve_date=date(2027, 3, 24))
        path = f"/api/specials/{offer.pk}/slots"
        seen = owner.get(path).json()["version"]
        theirs = owner.put(path, {"slots": [self.EARLY], "version": seen}).json()
        answer = owner.put(path, {"slots": [self.LATE], "version": seen})
        assert (answer.status_code, answer.json()["code"]) == (409, "edited_meanwhile")
        assert answer.json()["current"] == theirs
        assert PickupSlot.objects.get().starts_at.isoformat() == "2027-03-24T21:00:00+00:00"
        mine = {"slots": [self.LATE], "version": theirs["version"]}
        assert len(owner.put(path, mine).json()["slots"]) == 1
        assert PickupSlot.objects.get().starts_at.isoformat() == "2027-03-24T22:00:00+00:00"
