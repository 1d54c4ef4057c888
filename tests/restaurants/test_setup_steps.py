"""The one list of steps that Quick Start, the hub, the checklist, and the wizards show."""

from typing import Any

import pytest

from apps.common import rls
from apps.restaurants.models import Restaurant
from apps.restaurants.setup_steps import setup_steps
from tests.conftest import NOON, Cast
from tests.factories import SpecialOfferFactory
from tests.pages import props_of, text_of

pytestmark = pytest.mark.usefixtures("clock")
PAGES = {
    "/free-tier-quick-start": lambda props: props["steps"],
    "/launch-setup": lambda props: props["steps"],
    "/free-tier-dashboard": lambda props: props["setup"]["completion"]["steps"],
    "/restaurant": lambda props: props["setup"]["completion"]["steps"],
}


def change(restaurant: Restaurant, **columns: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


def test_every_page_shows_the_same_steps(api: Any, cast: Cast) -> None:
    client = api(cast.owner)
    found = [steps(props_of(client.get(page))) for page, steps in PAGES.items()]
    found.append(client.get("/api/restaurant/completion").json()["steps"])
    assert all(steps == found[0] for steps in found)
    assert [step["key"] for step in found[0]] == [
        "name",
        "address",
        "special",
        "payments",
        "share",
        "profile",
        "social",
        "sign_in",
    ]
    assert [step["key"] for step in found[0] if step["isNeeded"]] == [
        "name",
        "address",
        "special",
        "payments",
    ]


def test_each_step_leads_to_a_page_on_which_it_can_be_done(api: Any, cast: Cast) -> None:
    client = api(cast.owner)
    for step in client.get("/api/restaurant/completion").json()["steps"]:
        assert client.get(step["url"]).status_code == 200, step


def test_a_step_is_done_once_it_was_taken(cast: Cast, platform: None) -> None:
    def done() -> set[str]:
        now = Restaurant.objects.get(pk=cast.restaurant.pk)
        return {str(step.key) for step in setup_steps(now, user=cast.owner) if step.is_done}

    change(cast.restaurant, name="", profile_completed=False)
    before = done()
    assert before == {"payments", "sign_in"}
    change(cast.restaurant, name="Luigi's", subdomain_chosen_at=NOON)
    SpecialOfferFactory(restaurant=cast.restaurant)
    assert done() - before == {"name", "address", "special"}


def test_a_restaurant_without_a_name_shows_its_address_instead(api: Any, cast: Cast) -> None:
    change(cast.restaurant, name="")
    for page in ("/specials", "/patron"):
        assert "luigis" in text_of(api(at=cast.restaurant).get(page))
