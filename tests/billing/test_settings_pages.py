"""The owner's settings, marketing settings, and tiers, as the server hands them over."""

from typing import Any
from urllib.parse import urlencode

import pytest

from apps.billing.models import ConnectAccount
from apps.common import rls
from apps.restaurants.models import Restaurant
from tests.conftest import Cast
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

PAGES = ["/restaurant/settings", "/dashboard/marketing", "/marketing-settings", "/restaurant/tiers"]


def change(restaurant: Restaurant, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


@pytest.mark.parametrize("path", PAGES)
def test_only_an_owner_sees_the_settings_and_others_are_led_to_sign_in(
    api: Any, cast: Cast, path: str
) -> None:
    assert api(cast.owner).get(path).status_code == 200
    assert api(cast.manager).get(path).status_code == 403
    visitor = api().get(path)
    start = (
        f"/login?next={path}" if path == "/restaurant/tiers" else f"/?{urlencode({'next': path})}"
    )
    assert (visitor.status_code, visitor.headers["Location"]) == (302, start)


def test_an_owner_back_from_stripe_without_a_session_is_asked_to_log_in_again(
    api: Any, db: None
) -> None:
    visitor = api()
    answer = visitor.get("/restaurant/settings?success=1")
    assert answer.headers["Location"] == "/login?next=/restaurant/settings%3Fsuccess%3D1"
    page = visitor.get(answer.headers["Location"]).content.decode()
    assert "Log in again to finish your payment setup." in page


def test_the_settings_hold_all_that_their_first_view_shows(api: Any, cast: Cast) -> None:
    props = props_of(api(cast.owner).get("/restaurant/settings?section=marketing"))
    assert props["profile"]["name"] == "Luigi's"
    assert "restaurant" not in props["profile"]
    assert len(props["places"]["countries"]) == 44
    assert props["payments"]["connected"] is True
    assert (props["welcome"], props["section"]) == (cast.owner.name, "marketing")
    assert (props["hubUrl"], props["dashboardUrl"]) == ("/free-tier-dashboard", "/restaurant")


@pytest.mark.parametrize(
    ("tier", "current"), [("free", "free"), ("branded", "branded"), ("enterprise", "branded")]
)
@pytest.mark.parametrize("path", PAGES)
def test_each_page_knows_the_tier_and_the_one_fee_schedule(
    api: Any, cast: Cast, path: str, tier: str, current: str
) -> None:
    change(cast.restaurant, subscription_tier=tier)
    props = props_of(api(cast.owner).get(path))
    tiers = props.get("tiers", props)
    assert tiers["current"] == current
    assert tiers["upgradeUrl"] == "/subscribe"
    assert tiers["fees"] == {
        "freeRate": 300,
        "brandedRate": 500,
        "processingRate": 490,
        "processingFixedCents": 30,
        "freeOffers": 10,
        "monthlyFee": "",
    }


def test_figures_follow_the_settings(api: Any, cast: Cast, settings: Any) -> None:
    settings.BRANDED_REVENUE_SHARE_RATE = settings.BRANDED_REVENUE_SHARE_RATE * 2
    settings.PROCESSING_FEE_FIXED_CENTS = {"usd": 25}
    fees = props_of(api(cast.owner).get("/restaurant/tiers"))["fees"]
    assert (fees["brandedRate"], fees["processingFixedCents"]) == (1000, 25)


def test_a_settings_page_has_one_way_back(api: Any, cast: Cast) -> None:
    assert "Back to Dashboard" not in text_of(api(cast.owner).get("/restaurant/settings"))
    assert "Back to Dashboard" in text_of(api(cast.owner).get("/restaurant/team"))


@pytest.mark.parametrize("mark", ["success=1", "refresh=1", "email=a@b.test"])
def test_an_owner_back_from_stripe_sees_why_they_have_to_log_in_again(
    api: Any, cast: Cast, mark: str
) -> None:
    visitor = api()
    answer = visitor.get(f"/restaurant/settings?{mark}", follow=True)
    assert "Log in again to finish your payment setup." in text_of(answer)
    plain = api().get("/restaurant/settings", follow=True)
    assert "Log in again" not in text_of(plain)


def test_the_settings_open_without_a_payment_account(api: Any, cast: Cast) -> None:
    with rls.acting_as(rls.PLATFORM):
        ConnectAccount.objects.filter(restaurant=cast.restaurant).delete()
    props = props_of(api(cast.owner).get("/restaurant/settings"))
    assert props["payments"]["connected"] is False
    assert props["profile"]["stripeAccountId"] is None


def test_subscribing_begins_with_choosing_the_plan(api: Any, cast: Cast) -> None:
    answer = api(cast.owner).get("/subscribe")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/tier-selection")


class TestDashboard:
    def test_a_tab_brings_its_own_data_and_no_other(self, api: Any, cast: Cast) -> None:
        client = api(cast.owner)
        settings = props_of(client.get("/restaurant?tab=settings"))
        assert settings["profile"]["city"] == "New York"
        assert len(settings["places"]["states"]) == 50
        marketing = props_of(client.get("/restaurant?tab=marketing"))
        assert marketing["profile"]["socialMediaLinks"] == {}
        assert "places" not in marketing
        assert "profile" not in props_of(client.get("/restaurant"))

    def test_who_cannot_manage_gets_neither(self, api: Any, cast: Cast) -> None:
        for person in (cast.manager, cast.kitchen):
            assert "profile" not in props_of(api(person).get("/restaurant?tab=settings"))


def test_the_payment_account_leads_back_to_the_settings(api: Any, cast: Cast) -> None:
    props = props_of(api(cast.owner).get("/restaurant/stripe-management"))
    assert props["settingsUrl"] == "/restaurant/settings"
