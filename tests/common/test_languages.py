"""Guests read pages in their language, everybody else in English (decision 31)."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.utils import translation
from django.utils.formats import number_format

from apps.preorders.models import PreOrder
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("clock")

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.8"}


@pytest.fixture
def guest(cast: Any, api: Any) -> Any:
    return api(at=cast.restaurant)


@pytest.fixture
def path(cast: Any) -> str:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, ordered_portions=1, reserved_portions=1)
    return f"/specials/{offer.pk}"


def language_of(response: Any) -> str:
    page = response.content.decode()
    language = page.split('<html lang="', 1)[1].split('"', 1)[0]
    assert response.headers["Content-Language"] == language
    return str(language)


def test_the_browsers_language_is_spoken_where_we_have_it(guest: Any) -> None:
    assert language_of(guest.get("/specials", headers=SPANISH)) == "es"
    assert language_of(guest.get("/specials", headers={"Accept-Language": "fr-FR"})) == "en-US"
    assert language_of(guest.get("/specials")) == "en-US"


def test_a_stored_page_is_stored_for_readers_of_its_language_alone(guest: Any, path: str) -> None:
    for _ in range(2):
        assert language_of(guest.get(path)) == "en-US"
        spanish = guest.get(path, headers=SPANISH)
        assert language_of(spanish) == "es"
        assert {"Accept-Language", "Cookie"} <= set(spanish.headers["Vary"].split(", "))
        assert not spanish.cookies


def test_a_language_asked_for_is_stored_for_the_pages_after(guest: Any, path: str) -> None:
    asked = guest.get(f"{path}?lang=es")
    assert language_of(asked) == "es"
    cookie = asked.cookies["language"]
    assert (cookie.value, cookie["samesite"], cookie["domain"]) == ("es", "Lax", "")
    assert language_of(guest.get("/specials")) == "es"
    assert language_of(guest.get("/specials?lang=en")) == "en-US"
    assert language_of(guest.get("/specials", headers=SPANISH)) == "en-US"


@pytest.mark.parametrize("wrong", ["", "xx", "%00", "es%0d%0aSet-Cookie:a", "e" * 600])
def test_a_language_we_do_not_speak_changes_nothing(guest: Any, wrong: str) -> None:
    response = guest.get(f"/specials?lang={wrong}")
    assert language_of(response) == "en-US"
    assert not response.cookies


def test_the_page_leads_to_itself_in_the_other_language(guest: Any, path: str) -> None:
    page = guest.get(f"{path}?cancelled=1").content.decode()
    assert '<a href="?cancelled=1&amp;lang=es" lang="es" hreflang="es"' in page
    assert "Español" in text_of(guest.get(path))
    assert "English" in text_of(guest.get(path, headers=SPANISH))


def test_search_engines_find_every_language(guest: Any, cast: Any) -> None:
    address = f"http://{cast.restaurant.subdomain}.localhost:8000/specials"
    plain = guest.get("/specials").content.decode()
    assert f'<link rel="canonical" href="{address}">' in plain
    assert f'<link rel="alternate" hreflang="x-default" href="{address}">' in plain
    assert f'<link rel="alternate" hreflang="es" href="{address}?lang=es">' in plain
    spanish = guest.get("/specials?lang=es").content.decode()
    assert f'<link rel="canonical" href="{address}?lang=es">' in spanish


def test_scripts_get_their_texts_with_the_page_and_none_in_english(guest: Any, path: str) -> None:
    assert 'id="catalog"' in guest.get(path, headers=SPANISH).content.decode()
    assert 'id="catalog"' not in guest.get(path).content.decode()


def test_a_page_has_our_own_texts_for_its_scripts_and_not_those_of_djangos_admin(
    guest: Any, path: str
) -> None:
    page = guest.get(path, headers=SPANISH).content.decode()
    [texts] = re.findall(r'<script id="catalog" type="application/json">(.*?)</script>', page)
    assert json.loads(texts)["%s yours"] == ["%s tuya", "%s tuyas"]
    assert "%s selected option not visible" not in texts


def test_the_platforms_own_pages_are_english_and_a_restaurants_on_it_are_not(
    api: Any, cast: Any
) -> None:
    visitor = api()
    for page in ("/", "/login", "/terms"):
        response = visitor.get(page, headers=SPANISH)
        assert language_of(response) == "en-US", page
        assert "Español" not in text_of(response)
    for page in (f"/specials?rid={cast.restaurant.pk}", "/patron", "/privacy-policy"):
        assert language_of(visitor.get(page, headers=SPANISH)) == "es", page


def test_restaurants_terms_are_english_on_every_host(guest: Any) -> None:
    assert language_of(guest.get("/terms", headers=SPANISH)) == "en-US"
    assert language_of(guest.get("/terms-of-service", headers=SPANISH)) == "es"


def test_the_api_goes_by_the_page_that_asks_and_not_by_the_cookie(guest: Any, path: str) -> None:
    guest.cookies["language"] = "es"
    answer = guest.get(f"/api{path}/progress", headers={"Accept-Language": "en-US"})
    assert answer.headers["Content-Language"] == "en-US"
    answer = guest.get(f"/api{path}/progress", headers=SPANISH)
    assert answer.headers["Content-Language"] == "es"


def test_an_order_keeps_the_language_it_was_made_in(guest: Any, cast: Any) -> None:
    order = PreOrderFactory(restaurant=cast.restaurant)
    assert order.language == "en-us"
    with translation.override("es"):
        assert PreOrder().language == "es"


def test_pages_of_guests_speak_their_language_on_the_platforms_host_too(
    api: Any, path: str
) -> None:
    visitor = api()
    assert language_of(visitor.get(path, headers=SPANISH)) == "es"
    posted = visitor.post(f"{path}/pre-order", {"show": "total"}, headers=SPANISH)
    assert posted.headers["Content-Language"] == "es"
    assert language_of(visitor.get("/pre-order-confirmation", headers=SPANISH)) == "es"


def test_a_refusal_is_in_the_readers_language(guest: Any, path: str) -> None:
    guest_page = guest.get("/nowhere", headers=SPANISH)
    assert guest_page.status_code == 404
    assert "Esta página no está en el menú" in guest_page.content.decode()
    refused = guest.get("/api/specials/nothing/progress", headers=SPANISH)
    assert refused.status_code == 404


def test_numbers_that_programs_read_have_a_point_in_every_language(guest: Any, path: str) -> None:
    page = guest.get(path, headers=SPANISH).content.decode()
    plain = guest.get(path).content.decode()
    assert re.findall(r'name="unitPrice" value="(.*?)"', page) == re.findall(
        r'name="unitPrice" value="(\d+\.\d\d)"', plain
    )
    assert 'name="unitPrice"' in page
    with translation.override("es"):
        assert number_format(Decimal("66.7")) == "66.7"
