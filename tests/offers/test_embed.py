"""The specials on other sites: who may frame them, the script, oEmbed (decision 158)."""

import gzip
from datetime import timedelta

import pytest

from apps.offers.views.embed import LOADER
from apps.restaurants.models import Restaurant
from tests.caching import forget_everything
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory
from tests.pages import text_of

pytestmark = pytest.mark.django_db
PATH = "/api/restaurant/embed-sites"


@pytest.fixture
def branded(cast, clock):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
    return cast.restaurant


def special(restaurant, name):
    return SpecialOfferFactory(restaurant=restaurant, name=name, deadline=NOON + timedelta(days=1))


def sites_of(restaurant):
    return Restaurant.objects.get(pk=restaurant.pk).embed_sites


class TestSites:
    def test_addresses_are_stored_as_hosts_each_once(self, api, cast, branded):
        typed = ["https://Example.com/menu?x=1", "example.com", "shop.example.com:8443", "Çay.test"]
        answer = api(cast.owner).put(PATH, {"sites": typed})
        assert answer.status_code == 200, answer.content
        stored = ["example.com", "shop.example.com:8443", "xn--ay-3ia.test"]
        assert answer.json()["sites"] == stored
        assert sites_of(branded) == stored

    @pytest.mark.parametrize(
        "typed",
        ["", "restaurant", "*", "*.example.com", "a b.test", "example.com; script-src *", "-x.test",
         "https://", "example.com:port", "user@example.com", f"{'a' * 64}.test", "x" * 290],
    )  # fmt: skip
    def test_what_is_no_site_is_refused_and_nothing_is_written(self, api, cast, branded, typed):
        answer = api(cast.owner).put(PATH, {"sites": ["good.test", typed]})
        assert answer.status_code == 400
        assert sites_of(branded) == []

    def test_eleven_sites_are_too_many(self, api, cast, branded):
        answer = api(cast.owner).put(PATH, {"sites": [f"{n}.example.com" for n in range(11)]})
        assert answer.status_code == 400
        assert answer.json()["message"] == "List at most 10 sites. Remove one first."

    def test_the_free_plan_has_none(self, api, cast, clock):
        answer = api(cast.owner).put(PATH, {"sites": ["example.com"]})
        assert (answer.status_code, answer.json()["code"]) == (403, "not_in_plan")
        assert sites_of(cast.restaurant) == []


class TestTheFrame:
    def test_it_shows_one_special_while_that_is_open(self, api, branded):
        lamb, soup = special(branded, "Lamb"), special(branded, "Soup")
        page = text_of(api(at=branded).get(f"/embed?special={soup.pk}"))
        assert "Soup" in page
        assert "Lamb" not in page
        gone = text_of(api(at=branded).get("/embed?special=00000000-0000-0000-0000-000000000000"))
        assert "Soup" in gone
        assert lamb.name in gone

    @pytest.mark.parametrize(
        ("asked", "theme"),
        [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ('"><b>', "")],
    )
    def test_its_theme_is_one_of_ours(self, api, branded, asked, theme):
        page = api(at=branded).get("/embed", {"theme": asked}).content.decode()
        assert f'data-currency="usd"{theme}>' in page

    def test_a_site_that_was_removed_is_refused_at_once(self, api, cast, branded):
        owner = api(cast.owner)
        owner.put(PATH, {"sites": ["example.com"]})
        forget_everything()
        page = api(at=branded).get("/embed")
        assert "frame-ancestors example.com www.example.com" in page["Content-Security-Policy"]
        owner.put(PATH, {"sites": []})
        forget_everything()
        page = api(at=branded).get("/embed")
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


class TestTheScript:
    def test_it_is_small_and_the_same_for_everybody(self, api, branded):
        answer = api(at=branded).get("/embed.js")
        assert answer.status_code == 200
        assert answer["Content-Type"] == "text/javascript; charset=utf-8"
        assert answer["Cache-Control"] == "public, max-age=3600"
        assert answer.content == LOADER.read_bytes()
        assert len(gzip.compress(answer.content)) <= 3 * 1024


class TestOembed:
    def ask(self, api, restaurant, **query):
        return api(at=restaurant).get("/oembed", query)

    def test_a_link_to_a_special_becomes_its_picture(self, api, cast, clock):
        lamb = special(cast.restaurant, "Lamb")
        address = f"http://luigis.localhost:8000/specials/{lamb.pk}"
        answer = self.ask(api, cast.restaurant, url=address).json()
        assert (answer["type"], answer["title"]) == ("link", "Lamb at Luigi's")
        assert answer["thumbnail_url"].startswith(f"{address}/share.jpg?v=")
        assert "html" not in answer

    def test_with_a_listed_site_it_becomes_a_frame_no_larger_than_asked_for(self, api, branded):
        lamb = special(branded, '<b>"Lamb"</b>')
        Restaurant.objects.update(embed_sites=["example.com"])
        address = f"http://luigis.localhost:8000/specials/{lamb.pk}"
        answer = self.ask(api, branded, url=address, maxwidth="320", maxheight="x").json()
        assert (answer["type"], answer["width"], answer["height"]) == ("rich", 320, 560)
        assert f'src="http://luigis.localhost:8000/embed?special={lamb.pk}"' in answer["html"]
        assert "<b>" not in answer["html"]

    @pytest.mark.parametrize(
        "address",
        ["", "http://elsewhere.test/specials", "http://luigis.localhost:8000/account", "//[",
         "http://luigis.localhost:8000/specials/00000000-0000-0000-0000-000000000000"],
    )  # fmt: skip
    def test_an_address_that_shows_nothing_of_ours_is_not_found(self, api, cast, clock, address):
        assert self.ask(api, cast.restaurant, url=address).status_code == 404

    def test_a_format_other_than_json_is_answered_with_501(self, api, cast):
        address = "http://luigis.localhost:8000/specials"
        assert self.ask(api, cast.restaurant, url=address, format="xml").status_code == 501

    def test_the_page_of_a_special_says_where_to_ask(self, api, cast, clock):
        lamb = special(cast.restaurant, "Lamb")
        page = api(at=cast.restaurant).get(f"/specials/{lamb.pk}").content.decode()
        assert 'type="application/json+oembed"' in page
