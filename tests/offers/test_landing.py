"""The start page, and where it leads whom."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.accounts import bot_check
from apps.accounts.models import EmailConfirmation
from tests.conftest import Cast, Clock
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("clock")

SCREENS = ["/", "/register", "/progressive-registration", "/marketing"]


@pytest.mark.parametrize("path", SCREENS)
def test_four_addresses_show_the_start_page(api: Any, db: None, path: str) -> None:
    page = api().get(path)
    assert "Cook the special only if enough people order it" in text_of(page)
    assert "Get started free" in text_of(page)
    assert 'href="/login"' in page.content.decode()


def test_every_fee_comes_from_the_fee_schedule(api: Any, db: None, settings: Any) -> None:
    settings.FREE_REVENUE_SHARE_RATE = settings.FREE_REVENUE_SHARE_RATE + 1
    settings.PROCESSING_FEE_FIXED_CENTS = {"usd": 25}
    page = text_of(api().get("/"))
    # 48.00: 4 % is 1.92; 4.9 % + 0.25 is 2.60
    assert "Free, after that 4%, $1.92 $2.60 $43.48" in page
    assert "(4.9% + $0.25)" in page


def test_the_terms_state_their_date_and_the_same_fees(api: Any, db: None) -> None:
    page = text_of(api().get("/terms"))
    assert "Last updated:" in page
    assert "3% of each order that goes ahead" in page
    assert "4.9% + $0.30" in page


class TestWithoutAScript:
    @pytest.fixture
    def post(self, api: Any, clock: Clock) -> Any:
        def send(**data: str) -> Any:
            started = bot_check.started_at(now=clock.now)
            clock.advance(seconds=10)
            form = {"email": "sofia@example.test", "website": "", "startedAt": started, **data}
            return api(check_csrf=True).post("/register", form, MULTIPART_CONTENT)

        return send

    def test_the_form_is_posted_and_a_link_is_on_its_way(self, post: Any, db: None) -> None:
        page = post()
        assert page.status_code == 200
        assert "We sent a link to sofia@example.test" in text_of(page)
        assert EmailConfirmation.objects.filter(email="sofia@example.test").exists()

    def test_a_wrong_address_is_said_and_stored(self, post: Any, db: None) -> None:
        page = post(email="sofia@")
        assert page.status_code == 400
        assert "Registration Failed. Please enter a valid email address" in text_of(page)
        assert 'value="sofia@"' in page.content.decode()
        assert not EmailConfirmation.objects.exists()

    def test_a_known_address_is_told_so(self, post: Any, cast: Cast) -> None:
        page = post(email=cast.owner.email)
        assert page.status_code == 409
        assert "Email Already Registered" in text_of(page)

    def test_a_machine_that_fills_every_field_is_refused(self, post: Any, db: None) -> None:
        page = post(website="https://spam.example")
        assert page.status_code == 400
        assert "Security Check Failed" in text_of(page)


class TestWhoIsLedWhere:
    def test_who_works_in_a_restaurant_goes_to_work(self, api: Any, cast: Cast) -> None:
        assert api(cast.owner).get("/").headers["Location"] == "/restaurant"
        assert api(cast.kitchen).get("/").headers["Location"] == "/restaurant"

    def test_a_guests_account_stays(self, api: Any, cast: Cast) -> None:
        assert api(cast.stranger).get("/").status_code == 200

    @pytest.mark.parametrize("path", ["/restaurant", "/restaurant/settings", "/launch-setup"])
    def test_a_guests_account_is_led_to_the_start_page(
        self, api: Any, cast: Cast, path: str
    ) -> None:
        assert api(cast.stranger).get(path).headers["Location"] == "/"

    def test_staff_choose_a_restaurant_to_look_at(self, api: Any, cast: Cast) -> None:
        assert api(cast.staff).get("/restaurant").headers["Location"] == "/platform/tenants"
        assert api(cast.staff).get("/restaurant?restaurant=guessed").status_code == 403
        assert api(cast.staff).get(f"/restaurant?restaurant={cast.other.pk}").status_code == 200

    def test_an_old_link_to_register_leads_to_the_form(self, api: Any, cast: Cast) -> None:
        asked = "/restaurant?tab=register"
        assert api().get(asked).headers["Location"] == "/register"
        assert api(cast.owner).get(asked).status_code == 200

    def test_an_upgrade_wins_over_the_dashboard_and_needs_signing_in(
        self, api: Any, cast: Cast
    ) -> None:
        asked = "/?upgrade=rocket"
        assert api(cast.owner).get(asked).headers["Location"] == "/tier-selection"
        assert api().get(asked).headers["Location"] == "/login?next=%2F%3Fupgrade%3Drocket"

    def test_a_link_to_confirm_wins_over_the_dashboard(self, api: Any, cast: Cast) -> None:
        asked = {"step": "2", "token": "a&b", "email": "x+y@example.test"}
        found = api(cast.owner).get("/", asked).headers["Location"]
        assert found == "/verify-email?token=a%26b&email=x%2By%40example.test"

    @pytest.mark.parametrize("path", ["/restaurant/team", "/tier-selection"])
    def test_whoever_is_not_signed_in_comes_back_after_it(
        self, api: Any, db: None, path: str
    ) -> None:
        assert api().get(path).headers["Location"] == f"/login?next={path}"


class TestFromAPageForOwners:
    @pytest.mark.parametrize(
        "path", ["/restaurant", "/restaurant?tab=orders", "/restaurant/stripe-management"]
    )
    def test_a_visitor_is_led_to_the_start_page_and_by_its_links_back(
        self, api: Any, db: None, path: str
    ) -> None:
        start = api().get(path).headers["Location"]
        assert start == f"/?{urlencode({'next': path})}"
        page = api().get(start).content.decode()
        assert "You're not signed in." in page
        assert page.count(f'href="/login?{urlencode({"next": path})}"') == 3

    @pytest.mark.parametrize("path", ["//elsewhere.test", "https://elsewhere.test", "javascript:1"])
    def test_a_next_page_of_another_site_is_ignored(self, api: Any, db: None, path: str) -> None:
        page = api().get("/", {"next": path}).content.decode()
        assert page.count('href="/login?next=%2Frestaurant"') == 3
        assert "elsewhere" not in page

    def test_the_start_page_without_a_next_page_says_nothing_about_signing_in(
        self, api: Any, db: None
    ) -> None:
        assert "You're not signed in." not in api().get("/").content.decode()


class TestAnUnknownPath:
    def test_leads_a_visitor_to_the_start_page(self, api: Any, db: None) -> None:
        page = api().get("/no/such/page")
        assert page.status_code == 404
        shown = page.content.decode()
        assert 'data-lead-to="/" hidden' in shown
        assert "Stay here" in shown
        assert "http-equiv" not in shown
        for way in ("/", "/patron", "/find-order"):
            assert f'href="{way}"' in shown

    def test_is_answered_in_the_visitors_language(self, api: Any, db: None) -> None:
        page = api().get("/no/such/page", headers={"Accept-Language": "es-MX"})
        assert "Página no encontrada" in text_of(page)

    def test_tells_whoever_is_signed_in(self, api: Any, cast: Cast) -> None:
        page = api(cast.owner).get("/no/such/page")
        assert page.status_code == 404
        assert "Page not found" in text_of(page)
        assert "data-lead-to" not in page.content.decode()

    def test_stays_where_it_is_at_a_restaurant_and_at_a_host_of_nobody(
        self, api: Any, cast: Cast
    ) -> None:
        for visitor in (api(at=cast.restaurant), api(host="nobody.localhost")):
            page = visitor.get("/no/such/page")
            assert page.status_code == 404
            assert "data-lead-to" not in page.content.decode()


def test_the_terms_of_the_sign_up_field_lead_back_to_it(api: Any) -> None:
    assert 'href="/terms?returnTab=register"' in api().get("/").content.decode()
    terms = api().get("/terms?returnTab=register").content.decode()
    assert 'href="/restaurant?tab=register"' in terms
