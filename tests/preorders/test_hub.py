"""The hub, which plans lead there, and what every page of an owner shows (X54, X68)."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from apps.billing.models import ConnectAccount
from apps.common import rls
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast
from tests.factories import MembershipFactory, SpecialOfferFactory, UserFactory
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

HUB = "/free-tier-dashboard"
CLOSED = "Pre-orders are not open yet."


def change(restaurant: Restaurant, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


def set_account(restaurant: Restaurant, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=restaurant).update(**columns)


def remove_account(restaurant: Restaurant) -> None:
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=restaurant).delete()


class TestDashboardByTier:
    @pytest.mark.parametrize(
        ("tier", "address"),
        [("free", HUB), ("branded", "/restaurant"), ("enterprise", "/restaurant")],
    )
    def test_an_owner_gets_the_dashboard_of_their_tier(
        self, api: Any, cast: Cast, tier: str, address: str
    ) -> None:
        change(cast.restaurant, subscription_tier=tier)
        assert api(cast.owner).get("/dashboard").headers["Location"] == address

    def test_who_cannot_see_the_hub_goes_to_work(self, api: Any, cast: Cast) -> None:
        for person in (cast.manager, cast.kitchen):
            assert api(person).get("/dashboard").headers["Location"] == "/restaurant"
            assert api(person).get(HUB).status_code == 403
        assert api().get("/dashboard").headers["Location"] == "/login?next=/dashboard"


class TestHub:
    def test_the_next_deadline_is_the_restaurants_own_first(self, api: Any, cast: Cast) -> None:
        assert props_of(api(cast.owner).get(HUB))["next"] is None
        SpecialOfferFactory(restaurant=cast.other, deadline=NOON + timedelta(hours=1))
        SpecialOfferFactory(restaurant=cast.restaurant, deadline=NOON - timedelta(hours=1))
        for name, hours in (("later", 30), ("first", 3)):
            SpecialOfferFactory(
                restaurant=cast.restaurant, name=name, deadline=NOON + timedelta(hours=hours)
            )
        assert props_of(api(cast.owner).get(HUB))["next"]["name"] == "first"

    def test_the_month_is_the_present_one_in_figures_of_the_one_schedule(
        self, api: Any, cast: Cast, settings: Any
    ) -> None:
        change(
            cast.restaurant,
            monthly_special_offers_count=8,
            last_special_offer_reset_date=NOON.date().replace(day=1),
        )
        settings.FREE_REVENUE_SHARE_RATE = settings.BRANDED_REVENUE_SHARE_RATE
        restaurant = props_of(api(cast.owner).get(HUB))["restaurant"]
        assert restaurant["monthlySpecialOffersCount"] == 8
        assert restaurant["freeOffersRemaining"] == 2
        assert restaurant["freePlan"] == {"offersPerMonth": 10, "laterShare": "5%"}
        change(cast.restaurant, last_special_offer_reset_date=NOON.date().replace(month=2, day=1))
        restaurant = props_of(api(cast.owner).get(HUB))["restaurant"]
        assert restaurant["monthlySpecialOffersCount"] == 0

    def test_what_is_left_of_the_setup_is_beside_it(self, api: Any, cast: Cast) -> None:
        change(cast.restaurant, profile_completed=True, marketing_completed=False)
        remove_account(cast.restaurant)
        for page in (HUB, "/restaurant"):
            setup = props_of(api(cast.owner).get(page))["setup"]
            assert setup["payment"]["setup"]["state"] == "not_connected"
            completion = setup["completion"]
            assert (completion["profileCompleted"], completion["marketingCompleted"]) == (
                True,
                False,
            )
            assert completion["stripeCompleted"] is False
            done = {step["key"]: step["isDone"] for step in completion["steps"]}
            assert done == {
                "name": True,
                "address": False,
                "special": False,
                "payments": False,
                "share": False,
                "profile": True,
                "social": False,
                "sign_in": True,
            }
        assert props_of(api(cast.kitchen).get("/restaurant"))["setup"] is None


class TestOnEveryPage:
    @pytest.mark.parametrize("page", ["/restaurant/team", "/onboarding/iframe-setup"])
    def test_the_owner_sees_what_is_missing_and_the_button(
        self, api: Any, cast: Cast, page: str
    ) -> None:
        assert CLOSED not in text_of(api(cast.owner).get(page))
        remove_account(cast.restaurant)
        answer = api(cast.owner).get(page)
        assert CLOSED in text_of(answer)
        assert 'action="/restaurant/payments/connect"' in answer.content.decode()
        assert CLOSED not in text_of(api(cast.outsider).get(page))

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            (
                {"details_submitted": False, "charges_enabled": False},
                "Stripe needs a few more details from you.",
            ),
            (
                {"payouts_enabled": False, "requirements": {"currently_due": ["external_account"]}},
                "Payouts are not set up yet.",
            ),
            (
                {"charges_enabled": False, "requirements": {"pending_verification": ["x"]}},
                "Stripe is reviewing your details",
            ),
            (
                {"charges_enabled": False, "requirements": {"disabled_reason": "rejected.other"}},
                "Stripe has suspended this account.",
            ),
        ],
    )
    def test_each_page_says_what_the_account_is_missing(
        self, api: Any, cast: Cast, columns: dict[str, Any], words: str
    ) -> None:
        set_account(cast.restaurant, **columns)
        assert words in text_of(api(cast.owner).get("/restaurant/team"))

    def test_the_payment_settings_do_not_repeat_the_message(self, api: Any, cast: Cast) -> None:
        remove_account(cast.restaurant)
        assert CLOSED not in text_of(api(cast.owner).get("/restaurant/stripe-management"))


def test_the_dashboard_has_two_addresses(api: Any, cast: Cast) -> None:
    client = api(cast.owner)
    first, second = (
        props_of(client.get(path)) for path in ("/restaurant", "/restaurant/dashboard")
    )
    assert first["restaurant"]["name"] == "Luigi's"
    assert second["restaurant"] == first["restaurant"]


class TestAnUnconfirmedEmail:
    PAGES = ("/restaurant", HUB, "/free-tier-quick-start")

    @pytest.mark.parametrize("path", PAGES)
    def test_its_owner_is_told_what_waits_for_it(self, api: Any, cast: Cast, path: str) -> None:
        assert "Confirm your email to publish." not in text_of(api(cast.owner).get(path))
        EmailAddress.objects.filter(user=cast.owner).update(verified=False)
        page = text_of(api(cast.owner).get(path))
        assert "Confirm your email to publish." in page
        assert cast.owner.email in page

    def test_it_stops_nothing_while_another_owners_is_confirmed(self, api: Any, cast: Cast) -> None:
        EmailAddress.objects.filter(user=cast.owner).update(verified=False)
        with rls.acting_as(rls.PLATFORM):
            MembershipFactory(user=UserFactory(), restaurant=cast.restaurant, role="owner")
        assert "Confirm your email" not in text_of(api(cast.owner).get("/restaurant"))
        assert "Confirm your email" not in text_of(api(cast.kitchen).get("/restaurant"))


class TestANewRestaurant:
    def test_it_is_asked_for_its_plan_once_it_has_published_until_it_has_chosen(
        self, api: Any, cast: Cast
    ) -> None:
        client = api(cast.owner)
        change(cast.restaurant, registration_step="account")
        assert props_of(client.get(HUB))["links"]["choosePlan"] is None
        change(
            cast.restaurant,
            monthly_special_offers_count=1,
            last_special_offer_reset_date=NOON.date().replace(day=1),
        )
        assert props_of(client.get(HUB))["links"]["choosePlan"] == "/tier-selection"
        change(cast.restaurant, registration_step="tier")
        assert props_of(client.get(HUB))["links"]["choosePlan"] is None
