"""A public page that was just answered is answered again for next to nothing."""

from typing import Any

import pytest
from django.core.cache import cache

from apps.common import rls
from apps.offers import page_cache
from apps.offers.models import SpecialOffer
from tests.factories import SpecialOfferFactory


@pytest.fixture
def path(cast: Any) -> str:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, booked_portions=1, reserved_portions=1)
    return f"/specials/{offer.pk}"


@pytest.fixture
def guest(cast: Any, api: Any) -> Any:
    return api(at=cast.restaurant)


def test_neither_the_database_nor_the_cache_is_asked(
    guest: Any, path: str, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest.get(path)
    monkeypatch.setattr(type(cache._connections["default"]), "get", None)
    with django_assert_num_queries(0):
        again = guest.get(path)
    assert again.content == first.content
    assert dict(again.items()) == dict(first.items())


def test_it_is_given_no_longer_than_the_page_is_fresh(
    guest: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest.get(path)
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(booked_portions=2)
    assert guest.get(path).content == first.content
    later = page_cache.time() + page_cache.FRESH_FOR + 0.1
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
    assert "Nothing was held and nothing was charged." in asked.content.decode()
    assert "Nothing was held" not in guest.get(path).content.decode()


def test_a_refusal_is_not_kept(guest: Any, path: str) -> None:
    missing = "/specials/00000000-0000-0000-0000-000000000000"
    assert guest.get(missing).status_code == 404
    assert not hasattr(guest.get(missing), "kept_until")
