"""The link of an email that opens a special with the form filled in as before."""

from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock, rls
from apps.common.clock import now as clock_now
from apps.preorders.core.links import order_to_repeat, reorder_url, revoke_order_link
from apps.preorders.models.states import GUEST
from apps.restaurants.models import Restaurant
from tests.conftest import Cast, Clock
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.pages import markup_of

pytestmark = pytest.mark.usefixtures("clock")

PHONE = "+1 212 555 0199"
PERSONAL = ("Dana Guest", "dana@example.test", PHONE, "No nuts, please")
WITHOUT_PHONE = tuple(each for each in PERSONAL if each != PHONE)


@pytest.fixture
def left(special: Any) -> Any:
    return PreOrderFactory(
        offer=special,
        quantity=3,
        note="No nuts, please",
        alternative_price="18.00",
        in_checkout=True,
        status="cancelled",
    )


def path_of(order: Any, special: Any) -> str:
    url = reorder_url(order, special, now=clock_now())
    assert url.startswith("http://luigis.localhost:8000/specials/")
    assert url.endswith("#pre-order")
    return url.removeprefix("http://luigis.localhost:8000").removesuffix("#pre-order")


def shows(page: Any, words: tuple[str, ...] = PERSONAL) -> list[str]:
    text = page.content.decode()
    return [each for each in words if each in text]


def test_the_form_is_filled_in_as_before(guest: Any, left: Any, special: Any) -> None:
    page = guest.get(path_of(left, special))
    assert shows(page) == list(WITHOUT_PHONE)
    text = markup_of(page)
    assert 'name="quantity" type="number"' in text
    assert 'required value="3"' in text
    assert 'name="alternativeConsent" value="true" checked' in text
    assert "Pre-order Failed" not in text


def test_the_phone_number_is_filled_in_where_the_restaurant_asks_for_one(
    guest: Any, left: Any, special: Any
) -> None:
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.update(asks_for_phone=True)
    assert shows(guest.get(path_of(left, special))) == list(PERSONAL)


def test_a_day_later_it_fills_in_the_order_and_nothing_personal(
    guest: Any, left: Any, special: Any, clock: Clock
) -> None:
    path = path_of(left, special)
    clock.advance(hours=24)
    page = guest.get(path)
    assert shows(page) == []
    assert 'required value="3"' in page.content.decode()


def test_a_revoked_link_fills_in_nothing_personal(guest: Any, left: Any, special: Any) -> None:
    path = path_of(left, special)
    with rls.acting_as(rls.PLATFORM):
        revoke_order_link(left, by=GUEST, now=clock.now())
    assert shows(guest.get(path)) == []


def test_the_page_is_never_cached(guest: Any, left: Any, special: Any) -> None:
    page = guest.get(path_of(left, special))
    assert set(page["Cache-Control"].split(", ")) == {"private", "no-store"}
    assert page["X-Robots-Tag"] == "noindex"
    assert shows(guest.get(f"/specials/{special.pk}")) == []


def test_the_link_does_not_show_personal_data(left: Any, special: Any) -> None:
    assert not any(each in path_of(left, special) for each in PERSONAL)


def test_the_link_works_for_a_special_that_is_back(guest: Any, left: Any, cast: Cast) -> None:
    again = SpecialOfferFactory(restaurant=cast.restaurant, max_per_order=2)
    page = guest.get(path_of(left, again))
    assert shows(page) == list(WITHOUT_PHONE)
    assert 'required value="2"' in page.content.decode()


@pytest.mark.parametrize("token", ["x", "", "a.b", "0" * 500, "\x00"])
def test_a_forged_link_opens_an_empty_form(guest: Any, left: Any, special: Any, token: str) -> None:
    page = guest.get(f"/specials/{special.pk}", {"again": token})
    assert page.status_code == 200
    assert shows(page) == []
    assert order_to_repeat(token, offer_id=special.pk, now=clock_now()) is None


def test_the_link_works_for_one_special_on_its_own_host(
    guest: Any, api: Any, cast: Cast, left: Any, special: Any
) -> None:
    other = SpecialOfferFactory(restaurant=cast.restaurant)
    token = path_of(left, special).split("?")[1]
    assert shows(guest.get(f"/specials/{other.pk}?{token}")) == []
    assert api(at=cast.other).get(path_of(left, special)).status_code == 404


def test_the_link_fills_in_nothing_once_the_special_is_over(
    guest: Any, left: Any, special: Any, clock: Clock
) -> None:
    clock.set(special.deadline + timedelta(seconds=1))
    page = guest.get(path_of(left, special))
    assert page.status_code == 200
    assert shows(page) == []
