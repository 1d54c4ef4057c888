"""The pages between registering and the dashboard."""

from datetime import timedelta
from typing import Any

import pytest

from apps.common import rls
from apps.restaurants.models import Membership, Restaurant
from tests.conftest import NOON, Cast
from tests.factories import MembershipFactory, RestaurantFactory, SpecialOfferFactory
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

OWNERS_ONLY = [
    "/tier-selection",
    "/launch-setup",
    "/onboarding/subdomain-setup",
    "/onboarding/iframe-setup",
    "/restaurant/team",
    "/restaurant/tiers",
]


def change(restaurant: Restaurant, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


@pytest.mark.parametrize("path", OWNERS_ONLY)
def test_only_an_owner_sets_the_restaurant_up(api: Any, cast: Cast, path: str) -> None:
    assert api(cast.owner).get(path).status_code == 200
    assert api(cast.manager).get(path).status_code == 403
    assert api(cast.kitchen).get(path).status_code == 403


class TestPlans:
    def test_each_states_its_own_rate_and_leads_to_its_setup(self, api: Any, cast: Cast) -> None:
        free, branded = props_of(api(cast.owner).get("/tier-selection"))["tiers"]
        assert (free["tier"], free["share"], free["next"]) == ("free", "3.00", "/launch-setup")
        assert (branded["tier"], branded["share"]) == ("branded", "5.00")
        assert branded["next"] == "/branded-setup"
        assert [free["current"], branded["current"]] == [True, False]

    def test_a_plan_promises_what_it_includes_and_nothing_else(self, api: Any, cast: Cast) -> None:
        included = [
            "Unlimited specials",
            "Your specials on your own site",
            "Sales analytics",
            "Your own domain",
            "Your logo, color, and cover photo on your pages and emails",
            "Your pages without our name",
        ]
        client = api(cast.owner)
        assert props_of(client.get("/tier-selection"))["tiers"][1]["points"] == included
        assert props_of(client.get("/restaurant/tiers"))["brandedPoints"] == included
        summary = (
            "Unlimited specials, your specials on your own site, sales analytics, your own domain, "
            "your logo, color, and cover photo on your pages and emails, and your pages without "
            "our "
            "name."
        )
        assert props_of(client.get("/free-tier-dashboard"))["upgradeSummary"] == summary
        assert props_of(client.get("/free-tier-quick-start"))["upgradeSummary"] == summary
        assert f"Branded: {summary}" in text_of(api().get("/"))

    def test_the_branded_setup_begins_with_choosing_the_plan(self, api: Any, cast: Cast) -> None:
        page = api(cast.owner).get("/branded-setup")
        assert page.headers["Location"] == "/tier-selection"
        change(cast.restaurant, subscription_tier="branded")
        assert props_of(api(cast.owner).get("/branded-setup"))["isBranded"] is True


class TestWebAddress:
    def test_the_page_knows_the_restaurant_the_person_and_the_rules(
        self, api: Any, cast: Cast
    ) -> None:
        props = props_of(api(cast.owner).get("/launch-setup"))
        assert props["restaurant"]["name"] == "Luigi's"
        assert props["restaurant"]["subdomain"] == "luigis"
        assert props["account"]["email"] == cast.owner.email
        assert props["account"]["hasPassword"] is True
        assert props["address"]["suffix"].startswith(".localhost")
        assert "www" in props["address"]["reserved"]
        assert props["isBranded"] is False

    def test_an_address_that_was_chosen_is_changed_on_purpose_only(
        self, api: Any, cast: Cast
    ) -> None:
        page = "/onboarding/subdomain-setup"
        assert props_of(api(cast.owner).get(page))["isChosen"] is False
        change(cast.restaurant, subdomain_chosen_at=NOON)
        assert props_of(api(cast.owner).get(page))["isChosen"] is True
        assert props_of(api(cast.owner).get(f"{page}?change"))["isChosen"] is False


def policy_of(page: Any) -> str:
    return f"{page.headers['Content-Security-Policy']};"


class TestEmbedding:
    def test_the_guide_has_the_menus_and_the_frames_address(self, api: Any, cast: Cast) -> None:
        props = props_of(api(cast.owner).get("/onboarding/iframe-setup"))
        assert props["menuUrl"].endswith("/specials")
        assert props["embedUrl"].startswith("http://luigis.localhost")
        assert props["isEntitled"] is False

    def test_a_branded_restaurants_specials_can_stand_in_a_frame_on_its_own_sites(
        self, api: Any, cast: Cast
    ) -> None:
        change(cast.restaurant, subscription_tier="branded", embed_sites=["luigis.test"])
        SpecialOfferFactory(
            restaurant=cast.restaurant, name="Osso buco", deadline=NOON + timedelta(days=1)
        )
        for _ in range(2):  # rendered, and kept
            page = api(at=cast.restaurant).get("/embed")
            assert page.status_code == 200
            assert "Osso buco" in text_of(page)
            assert "frame-ancestors luigis.test www.luigis.test;" in policy_of(page)
            assert "frame-ancestors *" not in page.headers["Content-Security-Policy"]
            assert "X-Frame-Options" not in page.headers
            assert "site-header" not in page.content.decode()

    def test_a_free_restaurants_page_cannot_stand_in_a_frame(self, api: Any, cast: Cast) -> None:
        page = api(at=cast.restaurant).get("/embed")
        assert page.status_code == 403
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert page.headers["X-Frame-Options"] == "DENY"

    def test_without_a_site_no_frame_shows_them(self, api: Any, cast: Cast) -> None:
        change(cast.restaurant, subscription_tier="branded")
        assert "frame-ancestors 'none'" in policy_of(api(at=cast.restaurant).get("/embed"))

    def test_no_other_page_can_stand_in_a_frame(self, api: Any, cast: Cast) -> None:
        change(cast.restaurant, subscription_tier="branded")
        page = api(at=cast.restaurant).get("/specials")
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


class TestSeveralRestaurants:
    def test_the_list_is_ones_own_and_staff_see_all(self, api: Any, cast: Cast) -> None:
        mine = props_of(api(cast.owner).get("/platform/tenants"))["tenants"]
        assert [tenant["name"] for tenant in mine] == ["Luigi's"]
        every = props_of(api(cast.staff).get("/platform/tenants"))["tenants"]
        assert {"Luigi's", "Ming's"} <= {tenant["name"] for tenant in every}
        assert props_of(api(cast.stranger).get("/platform/tenants"))["tenants"] == []

    def test_registering_knows_whether_somebody_is_signed_in(self, api: Any, cast: Cast) -> None:
        props = props_of(api().get("/platform/register"))
        assert props["account"] is None
        assert (len(props["places"]["countries"]), len(props["places"]["states"])) == (44, 50)
        props = props_of(api(cast.owner).get("/platform/register"))
        assert props["account"]["email"] == cast.owner.email

    def test_the_owners_sign_in_leads_to_work_in_that_restaurant(
        self, api: Any, cast: Cast
    ) -> None:
        second = RestaurantFactory(name="Luigi's Bar", subdomain="luigis-bar")
        MembershipFactory(user=cast.owner, restaurant=second, role=Membership.Role.OWNER)
        at_the_bar = api(at=second).get("/owner-dashboard")
        assert at_the_bar.headers["Location"].endswith(f"/{second.slug}/owner-dashboard")
        client = api(cast.owner)
        assert client.get(f"/{second.slug}/owner-dashboard").headers["Location"] == "/restaurant"
        assert props_of(client.get("/restaurant"))["restaurant"]["name"] == "Luigi's Bar"

    def test_someone_elses_sign_in_stays_shut(self, api: Any, cast: Cast) -> None:
        client = api(cast.owner)
        assert client.get(f"/{cast.other.slug}/owner-dashboard").status_code == 404
        assert client.get("/no-such-place/owner-dashboard").status_code == 404
        assert props_of(client.get("/restaurant"))["restaurant"]["name"] == "Luigi's"
        assert api().get("/luigis/owner-dashboard").headers["Location"].startswith("/login?next=")


class TestTheTeam:
    def test_members_and_invitations_are_on_the_page(self, api: Any, cast: Cast) -> None:
        owner = api(cast.owner)
        invited = {"email": "nina@example.test", "role": "kitchen"}
        assert owner.post("/api/team/invitations", invited).status_code == 201
        props = props_of(owner.get("/restaurant/team"))
        assert {member["role"] for member in props["team"]["members"]} == {
            "owner",
            "manager",
            "kitchen",
        }
        assert [each["email"] for each in props["team"]["invitations"]] == ["nina@example.test"]
        assert props["me"] == str(cast.owner.pk)

    def test_a_link_that_is_no_invitation_says_what_to_do(self, api: Any, cast: Cast) -> None:
        for path in ("/invitation", "/invitation?token=guessed"):
            page = api().get(path)
            assert page.status_code == 404
            assert props_of(page)["invitation"] is None
            assert "Ask the restaurant to send you a new one." in props_of(page)["problem"]
            assert page.headers["Referrer-Policy"] == "no-referrer"


class TestTheDashboard:
    def test_an_owner_is_welcomed_once_and_a_colleague_never(self, api: Any, cast: Cast) -> None:
        assert props_of(api(cast.owner).get("/restaurant"))["person"] == {
            "name": cast.owner.name,
            "isRestaurantOwner": True,
            "hasCompletedOnboarding": False,
        }
        assert api(cast.owner).post("/api/onboarding/complete").status_code == 200
        for person in (cast.owner, cast.manager, cast.kitchen):
            props = props_of(api(person).get("/restaurant"))
            assert props["person"]["hasCompletedOnboarding"] is True

    def test_ways_that_are_not_ones_own_are_not_offered(self, api: Any, cast: Cast) -> None:
        props = props_of(api(cast.kitchen).get("/restaurant"))
        links = props["links"]
        assert (links["settings"], links["upgrade"], links["switch"]) == (None, None, None)
        assert props["permissions"]["editOffers"] is False
        assert props_of(api(cast.manager).get("/restaurant"))["permissions"]["editOffers"] is True
        MembershipFactory(user=cast.kitchen, restaurant=cast.other, role=Membership.Role.KITCHEN)
        links = props_of(api(cast.kitchen).get("/restaurant"))["links"]
        assert links["switch"] == "/platform/tenants"

    def test_the_owners_landing_signs_in_or_goes_to_work(self, api: Any, cast: Cast) -> None:
        page = api().get("/restaurant/landing")
        assert 'action="/login"' in page.content.decode()
        assert api(cast.owner).get("/restaurant/landing").headers["Location"] == "/restaurant"


def test_the_demo_asks_for_an_address_first(api: Any, db: None) -> None:
    page = api().get("/demo")
    assert page.status_code == 200
    assert props_of(page) == {"startUrl": "/#start"}
