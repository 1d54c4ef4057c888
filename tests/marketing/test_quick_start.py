"""/free-tier-quick-start: who can see it, and its contents (X43)."""

import json
import re

import pytest

from apps.marketing.models import Announcement
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory
from tests.pages import markup_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PATH = "/free-tier-quick-start"


def props(answer):
    assert answer.status_code == 200
    found = re.search(
        r'<script id="props-quick-start-quick-start"[^>]*>(.*?)</script>', answer.content.decode()
    )
    assert found
    return json.loads(found[1])


def test_who_is_not_signed_in_goes_to_the_start_page_with_the_settings_in_mind(api):
    answer = api().get(PATH)
    assert (answer.status_code, answer["Location"]) == (302, "/?next=%2Frestaurant%2Fsettings")
    assert api().get(answer["Location"]).status_code == 200


def test_the_owner_finds_everything_of_the_first_view_in_the_page(api, cast, platform):
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    SpecialOfferFactory(restaurant=cast.other, name="Theirs")
    found = props(api(cast.owner).get(PATH))
    assert [each["name"] for each in found["specials"]] == ["Osso buco"]
    assert found["restaurant"]["subdomain"] == "luigis"
    assert found["account"]["hasPassword"] is True
    assert found["profile"]["name"] == "Luigi's"
    assert found["payments"]["connected"] is True
    assert found["isFree"] is True
    assert found["address"]["isChosen"] is False
    done = {step["key"] for step in found["steps"] if step["isDone"]}
    assert done == {"name", "special", "payments", "profile", "sign_in"}
    assert (found["hubUrl"], found["upgradeUrl"]) == ("/free-tier-dashboard", "/subscribe")


def test_while_the_script_loads_a_skeleton_says_so(api, cast):
    page = markup_of(api(cast.owner).get(PATH))
    island = page.split('data-island="quick-start/quick-start"')[1].split("<script")[0]
    assert '<p class="visually-hidden" role="status">Loading</p>' in island
    assert island.count('class="skeleton ') == 3


def test_an_announcement_of_before_counts_for_its_restaurant_alone(api, cast, platform):
    Announcement.objects.create(
        restaurant=cast.restaurant, message="x", digest="x", created_at=NOON
    )
    for person, has_announced in ((cast.owner, True), (cast.outsider, False)):
        steps = props(api(person).get(PATH))["steps"]
        assert [step["isDone"] for step in steps if step["key"] == "share"] == [has_announced]


@pytest.mark.parametrize("person", ["manager", "kitchen"])
def test_only_an_owner_sees_quick_start(api, cast, person):
    assert api(getattr(cast, person)).get(PATH).status_code == 403


def test_the_page_sends_as_many_statements_for_any_number_of_offers(
    api, cast, platform, django_assert_max_num_queries
):
    SpecialOfferFactory.create_batch(30, restaurant=cast.restaurant)
    client = api(cast.owner)
    client.get(PATH)
    with django_assert_max_num_queries(9):
        client.get(PATH)
