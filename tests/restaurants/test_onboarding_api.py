"""The plan, the welcome, the name, and switching between one's restaurants."""

from datetime import timedelta
from decimal import Decimal

import pytest
from allauth.account.models import EmailAddress

from apps.accounts.models import User
from apps.accounts.services import issue_token
from apps.restaurants.models import Restaurant, RestaurantTransition
from apps.restaurants.services.onboarding import complete_confirmed_registrations
from tests.conftest import NOON
from tests.factories import MembershipFactory
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]
UNKNOWN_TIER = "Choose a plan: free, branded, or enterprise."


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def upgrade(client, tier="branded", share="5.00"):
    body = {"subscriptionTier": tier, "revenueSharePercentage": share}
    return client.put("/api/restaurant/upgrade-tier", body)


def set_confirmed(user, verified):
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": verified, "primary": True}
    )


@pytest.fixture
def confirmed(cast):
    set_confirmed(cast.owner, True)


# --- the plan -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tier", "share", "rate", "kind"),
    [
        ("branded", "0.00", "5.00", "premium"),
        ("enterprise", 3, "5.00", "premium"),
        ("free", "5.00", "3.00", "basic"),
        ("branded", {"nonsense": []}, "5.00", "premium"),
    ],
)
def test_the_share_follows_from_the_tier_whatever_is_sent(api, cast, tier, share, rate, kind):
    answer = upgrade(api(cast.owner), tier, share)
    assert answer.status_code == 200
    restaurant = answer.json()["restaurant"]
    assert (restaurant["id"], restaurant["subscriptionTier"]) == (str(cast.restaurant.pk), tier)
    own = fresh(cast.restaurant)
    assert (own.subscription_tier, own.revenue_share_percentage) == (tier, Decimal(rate))
    assert own.registration_step == "tier"
    if tier != "free":
        assert own.tier_type == kind


def test_a_change_of_tier_is_recorded_and_repeating_it_is_none(api, cast, clock):
    for tier in ("branded", "branded", "free"):
        upgrade(api(cast.owner), tier)
    seen = RestaurantTransition.objects.order_by("pk").values_list(
        "field", "old", "new", "actor", "at"
    )
    who = "owner@luigis.test"
    assert list(seen) == [
        ("subscription_tier", "free", "branded", who, NOON),
        ("subscription_tier", "branded", "free", who, NOON),
    ]


@pytest.mark.parametrize("tier", ["rocket", "", None, 7, ["free"]])
def test_another_tier_is_refused(api, cast, tier):
    answer = upgrade(api(cast.owner), tier)
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": UNKNOWN_TIER,
        "errors": [{"field": "subscriptionTier", "message": UNKNOWN_TIER}],
    }
    assert api(cast.owner).put("/api/restaurant/upgrade-tier", {}).json()["message"] == UNKNOWN_TIER


def test_an_upgrade_needs_signing_in(api, cast):
    answer = upgrade(api())
    assert (answer.status_code, answer.json()["message"]) == (401, "401: Unauthorized")
    assert upgrade(api(cast.manager)).status_code == 403


# --- the welcome ----------------------------------------------------------------------------------
def test_an_owner_completes_the_welcome_and_the_registration(api, cast, clock, confirmed):
    answer = api(cast.owner).post("/api/onboarding/complete")
    assert answer.status_code == 200
    assert answer.json()["user"]["hasCompletedOnboarding"] is True
    own = fresh(cast.restaurant)
    assert own.onboarding_completed
    assert (own.registration_status, own.registration_step) == ("complete", "complete")
    assert fresh(cast.owner).has_completed_onboarding
    assert api(cast.owner).post("/api/onboarding/complete").status_code == 200  # pressed twice


def test_the_registration_is_not_completed_without_a_confirmed_email(api, cast, clock):
    set_confirmed(cast.owner, False)
    api(cast.owner).post("/api/onboarding/complete")
    own = fresh(cast.restaurant)
    assert own.onboarding_completed
    assert own.registration_status == "incomplete"
    assert complete_confirmed_registrations(now=NOON) == 0
    set_confirmed(cast.owner, True)
    assert complete_confirmed_registrations(now=NOON) == 1
    assert fresh(cast.restaurant).registration_status == "complete"


def test_a_colleague_completes_it_for_themselves_alone(api, cast):
    assert api(cast.kitchen).post("/api/onboarding/complete").status_code == 200
    assert fresh(cast.kitchen).has_completed_onboarding
    assert not fresh(cast.restaurant).onboarding_completed
    assert not fresh(cast.owner).has_completed_onboarding


def test_going_back_in_a_wizard_undoes_nothing(api, cast, confirmed):
    api(cast.owner).post("/api/onboarding/complete")
    upgrade(api(cast.owner))
    assert fresh(cast.restaurant).registration_step == "complete"


# --- the name -------------------------------------------------------------------------------------
def test_the_restaurant_can_be_renamed(api, cast, run_tasks):
    answer = api(cast.owner).put("/api/restaurant", {"name": "  Da Luigi "})
    assert answer.status_code == 200
    assert answer.json()["restaurant"]["name"] == "Da Luigi"
    assert fresh(cast.restaurant).name == "Da Luigi"
    assert "Da Luigi" in api(at=cast.restaurant).get("/specials").content.decode()


@pytest.mark.parametrize("name", ["", "  ", None])
def test_a_restaurant_needs_a_name(api, cast, name):
    answer = api(cast.owner).put("/api/restaurant", {"name": name})
    assert (answer.status_code, answer.json()["message"]) == (400, "Restaurant name is required")


# --- which one ------------------------------------------------------------------------------------
@pytest.fixture
def two(cast):
    """The owner has a second restaurant."""
    MembershipFactory(user=cast.owner, restaurant=cast.other)
    return cast


def names(client):
    answer = client.put("/api/restaurant/upgrade-tier", {"subscriptionTier": "free"})
    return answer.json()["restaurant"]["name"]


def test_a_chosen_restaurant_stays_current_until_another_is_chosen(api, two):
    client = api(two.owner)
    unnamed = client.get("/api/team")
    assert (unnamed.status_code, unnamed.json()["code"]) == (400, "restaurant_required")
    answer = client.post(f"/api/restaurants/{two.other.pk}/choose")
    assert (answer.status_code, answer.json()["restaurant"]["name"]) == (200, "Ming's")
    assert names(client) == "Ming's"
    assert api(two.owner).get("/api/team").status_code == 400  # another browser
    client.post(f"/api/restaurants/{two.restaurant.pk}/choose")
    assert names(client) == "Luigi's"


def test_a_named_restaurant_comes_before_the_chosen_one(api, two):
    client = api(two.owner)
    client.post(f"/api/restaurants/{two.other.pk}/choose")
    named = client.get(f"/api/team?restaurant={two.restaurant.pk}").json()
    assert {each["email"] for each in named["members"]} >= {"manager@luigis.test"}


def test_a_page_works_for_the_restaurant_it_shows_whatever_another_tab_chose(api, two):
    client = api(two.owner)
    page = client.get("/restaurant").content.decode()
    assert f'<meta name="restaurant" content="{two.restaurant.pk}">' in page
    client.post(f"/api/restaurants/{two.other.pk}/choose")  # in another tab
    shown = {"HTTP_X_RESTAURANT": str(two.restaurant.pk)}
    assert client.put("/api/restaurant", {"name": "Da Luigi"}, **shown).status_code == 200
    assert (fresh(two.restaurant).name, fresh(two.other).name) == ("Da Luigi", "Ming's")
    for unknown, status in (("7", 400), ("00000000-0000-4000-8000-000000000000", 404)):
        headers = {"HTTP_X_RESTAURANT": unknown}
        assert client.put("/api/restaurant", {"name": "x"}, **headers).status_code == status


def test_a_page_of_nobodys_restaurant_names_none(api, cast):
    assert 'name="restaurant"' not in api(cast.owner).get("/specials").content.decode()
    assert 'name="restaurant"' not in api().get("/login").content.decode()


def test_a_choice_counts_only_as_long_as_it_is_theirs(api, two):
    client = api(two.owner)
    client.post(f"/api/restaurants/{two.other.pk}/choose")
    two.owner.memberships.filter(restaurant=two.other).delete()
    assert names(client) == "Luigi's"


def test_a_closed_restaurant_does_not_stand_before_the_open_one(api, two):
    client = api(two.owner)
    Restaurant.objects.filter(pk=two.restaurant.pk).update(status="inactive")
    assert names(client) == "Ming's"
    refusal = client.post(f"/api/restaurants/{two.restaurant.pk}/choose")
    assert refusal.status_code == 403


def test_a_user_can_choose_only_their_own_restaurants(api, cast):
    choose = f"/api/restaurants/{cast.other.pk}/choose"
    assert api().post(choose).status_code == 401
    assert api(cast.stranger).post(choose).status_code == 403
    assert api(cast.owner).post(choose).status_code == 404


def test_staff_choose_any_to_look_at_it(api, cast):
    client = api(cast.staff)
    assert client.post(f"/api/restaurants/{cast.other.pk}/choose").status_code == 200
    assert client.get("/api/orders").status_code == 200
    assert client.put("/api/restaurant", {"name": "x"}).status_code == 403


def test_an_api_client_names_the_restaurant_itself(api, two, clock):
    token = issue_token(user=two.owner, now=clock.now + timedelta(0))
    headers = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    client = api()
    answer = client.post(f"/api/restaurants/{two.other.pk}/choose", **headers)
    assert answer.status_code == 400
    assert "?restaurant=" in answer.json()["message"]
    assert "sessionid" not in client.cookies
    assert User.objects.get(pk=two.owner.pk).is_active
