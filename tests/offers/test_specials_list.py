"""The list of a restaurant's specials."""

import json
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.common import formats, rls
from apps.offers.models import PickupSlot
from apps.offers.states import OfferStatus
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory, add_hours
from tests.pages import heard_in, markup_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

QUERIES = 1  # the specials, with everything they show; the host is cached


def test_a_row_says_what_the_specification_lists(guest: Any, special: Any) -> None:
    page = text_of(guest.get("/specials"))
    for words in (
        "Luigi's",
        "Special Offers Available for Pre-Order",
        "Entree Price Reservation Date Specials Remaining Sign up Before Action",
        "Osso buco Slow-braised for nine hours.",
        "Too few orders? Alternative: Penne al forno",
        "$24.00 Regular price $30.00 Save 20%",
        "Wed, Mar 24 · Dine in or pickup",
        "8 of 12 ordered 4 more and it's on",
        "8 /12 pre-orders",
        "Closes in 1d 6h 0m Closes Tue, Mar 23, 6:00 PM EDT",
        "Pre-Order Osso buco",
        "Add to cart Osso buco",
    ):
        assert words in page


def test_a_screen_reader_hears_once_how_many_are_ordered(guest: Any, special: Any) -> None:
    page = guest.get("/specials")
    assert "pre-orders" not in heard_in(page)
    assert "4 more and it's on" in heard_in(page)
    assert 'aria-label="8 ordered, 12 needed"' in markup_of(page)


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_a_card_says_what_the_dish_is_then_when_it_is_served_and_when_it_closes(
    guest: Any, special: Any, platform: None, path: str
) -> None:
    page = text_of(guest.get(path))
    facts = (
        "Slow-braised for nine hours.",
        "Too few orders? Alternative: Penne al forno",
        "Wed, Mar 24 · Dine in or pickup",
        "8 of 12 ordered",
        "Closes in 1d 6h 0m Closes Tue, Mar 23, 6:00 PM EDT",
    )
    places = [page.index(fact) for fact in facts]
    assert places == sorted(places)


@pytest.mark.parametrize("path", ["/specials", "/patron"])
@pytest.mark.parametrize(
    ("ordered", "words"), [(0, "0 of 12 ordered"), (8, "8 of 12 ordered"), (15, "15 ordered")]
)
def test_a_card_counts_what_is_ordered_beside_its_seats(
    guest: Any, special: Any, platform: None, path: str, ordered: int, words: str
) -> None:
    type(special).objects.update(ordered_portions=ordered)
    page = " ".join(guest.get(path).content.decode().split())
    count = f'<p class="seats-count" aria-hidden="true"><span data-ordered>{words}</span></p>'
    assert page.count(count) == 1


def test_the_button_leads_to_the_special(guest: Any, special: Any) -> None:
    assert f'href="/specials/{special.pk}#pre-order"' in guest.get("/specials").content.decode()


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"ordered_portions": 12, "reserved_portions": 12}, "It's on"),
        (
            {"ordered_portions": 12, "reserved_portions": 14, "max_preorders": 20},
            "It's on. 6 portions left",
        ),
        ({"ordered_portions": 12, "reserved_portions": 12, "max_preorders": 12}, "Sold out"),
    ],
)
def test_the_remaining_column_says_what_is_left_once_the_minimum_is_met(
    guest: Any, cast: Cast, figures: dict[str, int], words: str
) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, min_preorders=12, **figures)
    assert words in text_of(guest.get("/specials"))


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_the_button_of_a_sold_out_special_leads_to_its_waitlist(
    guest: Any, cast: Cast, path: str
) -> None:
    full = SpecialOfferFactory(
        restaurant=cast.restaurant, max_preorders=4, ordered_portions=4, reserved_portions=4
    )
    page = guest.get(path)
    assert re.search(rf'href="/specials/{full.pk}#waiting-list"\s*>Join the waitlist', page.text)
    assert f"/specials/{full.pk}#pre-order" not in page.text


@pytest.mark.parametrize("path", ["/specials", "/patron"])
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Waitlist closes in 1d 6h 0m"), ("es", "La lista cierra en 1d 6h 0m")],
)
def test_the_countdown_of_a_sold_out_special_is_its_waitlists(
    guest: Any, special: Any, platform: None, path: str, language: str, words: str
) -> None:
    type(special).objects.update(max_preorders=12, ordered_portions=12, reserved_portions=12)
    assert words in text_of(guest.get(path, headers={"Accept-Language": language}))


@pytest.fixture
def times(special: Any, platform: None) -> list[PickupSlot]:
    """Two, for one portion each, of a special with more portions."""
    type(special).objects.update(max_preorders=20, ordered_portions=12, reserved_portions=12)
    return add_hours(special, 1, 1)


def fill(slot: PickupSlot, **facts: Any) -> None:
    PreOrderFactory(offer=slot.offer, restaurant=slot.restaurant, pickup_slot=slot, **facts)


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_a_special_with_every_time_full_does_not_invite(
    guest: Any, special: Any, times: list[PickupSlot], path: str
) -> None:
    fill(times[0])
    page = guest.get(f"{path}?afresh=1")
    assert "It's on. 8 portions left" in text_of(page)
    assert f"/specials/{special.pk}#pre-order" in page.text
    fill(times[1])
    page = guest.get(f"{path}?afresh=1")
    assert "Every time is full right now" in text_of(page)
    assert "portions left" not in text_of(page)
    assert f"/specials/{special.pk}#" not in page.text
    assert "data-add-to-cart" not in page.text
    assert "Details Osso buco" in text_of(page)


def test_portions_reserved_for_friends_fill_a_time(
    guest: Any, special: Any, times: list[PickupSlot]
) -> None:
    fill(times[0])
    PickupSlot.objects.filter(pk=times[1].pk).update(capacity=3)
    fill(times[1], friend_portions=1, friends_until=special.deadline)
    assert "8 portions left" in text_of(guest.get("/specials?afresh=1"))
    PreOrder.objects.filter(pickup_slot=times[1]).update(friend_portions=2)
    assert "Every time is full" in text_of(guest.get("/specials?afresh=1"))


def test_full_times_of_all_specials_are_one_more_query(
    guest: Any, special: Any, times: list[PickupSlot], django_assert_num_queries: Any
) -> None:
    other = SpecialOfferFactory(restaurant=special.restaurant, name="Caponata")
    PickupSlot.objects.filter(pk=times[1].pk).update(offer=other)
    guest.get("/specials?afresh=1")
    with django_assert_num_queries(QUERIES + 1):
        guest.get("/specials?afresh=1")


def test_the_platform_host_takes_the_restaurant_from_rid(
    api: Any, cast: Cast, special: Any
) -> None:
    page = api().get(f"/specials?rid={cast.restaurant.pk}")
    assert "Osso buco" in text_of(page)


@pytest.mark.parametrize("query", ["", "?rid=", "?rid=nobody", "?rid=%00"])
def test_no_restaurant_is_said_so(api: Any, cast: Cast, query: str) -> None:
    page = api().get(f"/specials{query}")
    assert page.status_code == 404
    assert (
        "Restaurant Not Found This restaurant could not be found or is not available."
        in text_of(page)
    )


def test_a_suspended_restaurant_is_not_found(api: Any, cast: Cast) -> None:
    with rls.acting_as(rls.PLATFORM):
        cast.other.status = Restaurant.Status.SUSPENDED
        cast.other.save(update_fields=["status"])
    assert api().get(f"/specials?rid={cast.other.pk}").status_code == 404


def test_an_empty_list_says_to_come_back(guest: Any) -> None:
    page = text_of(guest.get("/specials"))
    assert "No Special Offers Available Check back soon..." in page


def test_the_list_shows_only_open_specials_of_this_restaurant(guest: Any, cast: Cast) -> None:
    SpecialOfferFactory(restaurant=cast.other, name="Next door")
    SpecialOfferFactory(restaurant=cast.restaurant, name="Deleted", status=OfferStatus.DELETED)
    SpecialOfferFactory(
        restaurant=cast.restaurant, name="Past", deadline=NOON - timedelta(minutes=1)
    )
    page = text_of(guest.get("/specials"))
    assert "No Special Offers Available" in page


def test_an_account_that_takes_no_payments_yet(api: Any, db: None) -> None:
    restaurant = RestaurantFactory(account__charges_enabled=False)
    special = SpecialOfferFactory(restaurant=restaurant)
    closing = formats.moment(special.deadline, restaurant.zone)
    for path in ("/specials", "/patron"):
        page = text_of(api(at=restaurant).get(path))
        assert f"Opens soon Closes {closing} " in page
        assert f"Goes ahead with {special.min_preorders} portions" in page
        assert "more and it's on" not in page
    page = api(at=restaurant).get("/specials")
    assert "Upcoming Special Offers" in text_of(page)
    assert "Available for Pre-Order" not in text_of(page)
    assert "Leave your email to hear about its specials." in text_of(page)
    shared = "Pre-orders open soon. You pay only if enough people order."
    assert f'property="og:description" content="{shared}"' in page.text
    # What there is to do comes before what can't be ordered yet, and once.
    assert page.text.index('id="follow"') < page.text.index('class="offers"')
    assert page.text.count('id="follow"') == 1
    assert "Pre-orders open soon. Email me" in text_of(page)
    assert page.text.index('href="#follow"') < page.text.index('class="offers"')
    assert 'max-md:order-last" aria-labelledby="follow-title"' in page.text
    assert '<button class="button grow button-primary">Email me' in page.text


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_a_card_names_the_day_that_orders_are_planned_to_open(
    api: Any, db: None, path: str
) -> None:
    restaurant = RestaurantFactory(
        account__charges_enabled=False, opening_day=NOON.date() + timedelta(days=1)
    )
    special = SpecialOfferFactory(restaurant=restaurant)
    closing = formats.moment(special.deadline, restaurant.zone)
    page = text_of(api(at=restaurant).get(path))
    assert f"Opens Tue, Mar 23 (planned) Closes {closing} " in page


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_what_can_be_ordered_comes_before_what_is_sold_out(
    guest: Any, cast: Cast, platform: None, path: str
) -> None:
    for hours, name, left in ((1, "Full", 0), (2, "First", 9), (3, "Second", 9)):
        SpecialOfferFactory(
            restaurant=cast.restaurant,
            name=name,
            deadline=NOON + timedelta(hours=hours),
            min_preorders=10,
            max_preorders=20,
            reserved_portions=20 - left,
        )
    page = guest.get(path).content.decode()
    assert re.findall(r'class="card-link"[^>]*>(\w+)', page)[:3] == ["First", "Second", "Full"]
    offers = re.findall(r'data-special="[^"]+"( data-full|)', page)
    assert offers == ["", "", " data-full"]


@pytest.mark.parametrize("rows", [1, 20])
def test_the_queries_do_not_grow_with_the_rows(
    guest: Any, cast: Cast, django_assert_num_queries: Any, rows: int
) -> None:
    SpecialOfferFactory.create_batch(rows, restaurant=cast.restaurant)
    guest.get("/specials?")  # the host is looked up once
    with django_assert_num_queries(QUERIES):
        page = guest.get("/specials?fresh=1")
    assert page.content.count(b"<tr data-offer ") == rows


def test_a_page_stored_for_a_moment_asks_nothing(
    guest: Any, special: Any, django_assert_num_queries: Any
) -> None:
    first = guest.get("/specials")
    with django_assert_num_queries(0):
        assert guest.get("/specials").content == first.content


def test_a_look_sets_no_cookie_and_needs_no_nonce(guest: Any, special: Any) -> None:
    page = guest.get("/specials")
    assert not page.cookies
    assert "nonce" not in page.headers["Content-Security-Policy"]
    assert "public" in page.headers["Cache-Control"]


def test_the_stored_page_comes_packed_for_those_who_unpack(guest: Any, special: Any) -> None:
    import gzip

    packed = guest.get("/specials", headers={"accept-encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.content) == guest.get("/specials").content


def test_search_engines_get_the_menu(guest: Any, special: Any) -> None:
    page = guest.get("/specials").content.decode()
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data["@type"] == "Restaurant"
    items = data["hasMenu"]["hasMenuSection"][0]["hasMenuItem"]
    assert items[0]["offers"]["price"] == "24.00"
    assert f'rel="canonical" href="http://luigis.localhost:{_port()}/specials"' in page


def test_names_are_data_never_markup(guest: Any, cast: Cast) -> None:
    SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="</script><script>alert(1)</script>",
        description="<img src=x onerror=alert(1)>",
    )
    page = guest.get("/specials").content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    said = text_of(guest.get("/specials"))
    assert "</script><script>alert(1)</script> <img src=x onerror=alert(1)>" in said


def test_savings_round_half_up(guest: Any, cast: Cast) -> None:
    SpecialOfferFactory(
        restaurant=cast.restaurant, regular_price=Decimal(8), special_price=Decimal(7)
    )
    assert "Save 13%" in text_of(guest.get("/specials"))


def test_the_start_of_a_restaurants_host_is_its_specials(guest: Any) -> None:
    assert guest.get("/").headers["Location"] == "/specials"


def test_the_platforms_start_says_what_this_is(
    api: Any, db: None, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        page = api().get("/")
    assert "Cook the special only if enough people order it" in text_of(page)
    assert 'href="/login"' in page.content.decode()
    assert not page.cookies


def _port() -> int:
    from django.conf import settings

    return settings.PUBLIC_PORT
