"""A public page that was just served is served again at almost no cost."""

from time import time
from typing import Any

import pytest
from django.core.cache import caches

from apps.common import rls
from apps.offers import page_cache
from apps.offers.models import SpecialOffer
from tests.factories import SpecialOfferFactory


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the time, because a slow machine can take longer than a page stays fresh."""
    moment = time()
    monkeypatch.setattr(page_cache, "time", lambda: moment)


@pytest.fixture
def path(cast: Any) -> str:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, ordered_portions=1, reserved_portions=1)
    return f"/specials/{offer.pk}"


@pytest.fixture
def guest(cast: Any, api: Any) -> Any:
    return api(at=cast.restaurant)


def test_neither_the_database_nor_the_cache_is_asked(
    guest: Any, path: str, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest.get(path)
    monkeypatch.setattr(type(caches["default"]), "get", None)
    with django_assert_num_queries(0):
        again = guest.get(path)
    assert again.content == first.content
    mine = {"X-Request-ID"}  # each response has its own
    assert {k: v for k, v in again.items() if k not in mine} == {
        k: v for k, v in first.items() if k not in mine
    }


def test_a_cached_page_is_served_only_while_it_is_fresh(
    guest: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest.get(path)
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(ordered_portions=2)
    assert guest.get(path).content == first.content
    later = time() + page_cache.FRESH_SECONDS + 0.1
    monkeypatch.setattr(page_cache, "time", lambda: later)
    assert guest.get(path).content != first.content


def test_each_coding_and_each_host_has_its_own(guest: Any, path: str, cast: Any) -> None:
    plain = guest.get(path)
    packed = guest.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert guest.get(path).content == plain.content
    elsewhere = guest.get(path, headers={"host": f"{cast.other.subdomain}.localhost"})
    assert elsewhere.status_code == 404


def test_a_page_with_a_question_is_made_for_it(guest: Any, path: str) -> None:
    guest.get(path)
    asked = guest.get(f"{path}?cancelled=1")
    assert "You left the checkout" in asked.content.decode()
    assert "You left the checkout" not in guest.get(path).content.decode()


def test_a_refusal_is_not_stored(guest: Any, path: str) -> None:
    missing = "/specials/00000000-0000-0000-0000-000000000000"
    assert guest.get(missing).status_code == 404
    assert not hasattr(guest.get(missing), "cached_until")


def test_who_has_the_same_version_is_told_that_nothing_is_new(
    guest: Any, path: str, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = f"/api{path}/progress"
    first = guest.get(progress)
    mark = first.headers["ETag"]
    with django_assert_num_queries(0):
        again = guest.get(progress, headers={"If-None-Match": mark})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", mark)
    assert "Content-Length" not in again.headers
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(ordered_portions=2)
    later = time() + page_cache.FRESH_SECONDS + 0.1
    monkeypatch.setattr(page_cache, "time", lambda: later)
    changed = guest.get(progress, headers={"If-None-Match": mark})
    assert changed.status_code == 200
    assert changed.json()["currentPreorders"] == 2
    assert changed.headers["ETag"] != mark


def test_who_shared_the_link_makes_no_page_of_its_own(
    guest: Any, path: str, django_assert_num_queries: Any
) -> None:
    first = guest.get(path)
    for code in ("ref=0a1b2c3d4e", "ref=ffffffffff", "ref="):
        with django_assert_num_queries(0):
            assert guest.get(f"{path}?{code}").content == first.content


def test_a_cached_page_shows_nothing_of_who_asked_first(guest: Any, path: str) -> None:
    junk = "x" * 4000
    first = guest.get(f"{path}?ref=deadbeefdead&ref={junk}")
    assert first.status_code == 200
    assert b"lang=es" in first.content
    for page in (first, guest.get(path)):
        assert b"deadbeefdead" not in page.content
        assert junk.encode() not in page.content


def test_whose_page_it_is_can_be_said_on_the_platforms_host_alone(
    api: Any, guest: Any, path: str, cast: Any, django_assert_num_queries: Any
) -> None:
    anybody = api()
    asked = f"/specials?rid={cast.restaurant.pk}"
    first = anybody.get(asked)
    assert first.status_code == 200
    with django_assert_num_queries(0):
        assert anybody.get(asked).content == first.content
    assert anybody.get(f"/specials?rid={cast.other.pk}").content != first.content
    # Elsewhere the parameter means nothing, so it must not fill the cache with copies.
    assert not hasattr(guest.get(asked), "cached_until")
