"""The page of a special, in each of its states (X68)."""

import html
import re
from datetime import datetime, timedelta
from time import time
from typing import Any
from urllib.parse import unquote_plus

import pytest
from django.test import override_settings

from apps.common import rls
from apps.offers.models import Dish, Photo, SpecialOffer
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from tests.conftest import NOON, Cast, Clock
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory
from tests.pages import heard_in, markup_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

QUERIES = 2  # the special, and how reliable its restaurant is


def test_an_open_special_says_what_the_specification_lists(guest: Any, special: Any) -> None:
    page = text_of(guest.get(f"/specials/{special.pk}"))
    for words in (
        "Osso buco",
        "Slow-braised for nine hours.",
        "Active Luigi's",
        "+1 212 555 0100",
        "Special price $24.00 Regular price $30.00 Save 20% ($6.00)",
        "4 more and it's on",
        "8 /12 pre-orders",
        "Closes in 1d 6h 0m Order by Tue, Mar 23, 6:00 PM EDT",
        "Osso buco Wed, Mar 24 · Dine in or pickup 1 Mulberry Street, New York, NY 10013",
        "If the minimum isn't reached, you can have this instead: Penne al forno",
        "Minimum: 12 portions",
        "You eat at the restaurant or pick it up on Wed, Mar 24.",
        "We'll charge your card on Tue, Mar 23, 6:00 PM EDT if 12 portions are ordered.",
        "Subtotal $24.00 Tax (8%) $1.92 Total $25.92 Tip not included",
        "Today: $25.92 held, not charged Tue, Mar 23, 6:00 PM EDT: charged if 12 portions are "
        "ordered ( 9 with yours)",
        "Fewer than 12: you pay nothing",
        "Fewer than 12: you get Penne al forno instead and pay $",
        "Pre-Order Now",
        "Share",
        "Back",
    ):
        assert words in page


def test_the_sentence_says_what_is_reserved_and_not_ordered_yet_and_the_script_is_told_the_same(
    guest: Any, special: Any, platform: None
) -> None:
    SpecialOffer.objects.filter(pk=special.pk).update(ordered_portions=8, reserved_portions=9)
    sentence = "4 more and it's on. 1\xa0of\xa0them is being ordered"
    shown = "8 of 12 ordered 4 more and it's on. 1 of them is being ordered"
    assert shown in text_of(guest.get(f"/specials/{special.pk}"))
    assert shown in text_of(guest.get("/specials"))
    progress = guest.get(f"/api/specials/{special.pk}/progress").json()
    assert (progress["seatsSentence"], progress["remaining"]) == (sentence, "4 more needed")


def test_sharing_by_email_without_a_script_sends_the_address_of_the_special(
    guest: Any, special: Any
) -> None:
    page = guest.get(f"/specials/{special.pk}").content.decode()
    assert re.search(
        rf'href="mailto:\?subject=Osso%20buco&amp;body=http[^"]*/specials/{special.pk}"', page
    )


def test_what_the_alternative_contains_is_said_where_a_guest_chooses_it(
    guest: Any, special: Any, platform: None
) -> None:
    alternative = Dish.objects.filter(pk=special.alternative_dish_id)
    SpecialOffer.objects.filter(pk=special.pk).update(
        allergens=["celery"], dietary=["gluten_free", "vegetarian"]
    )
    alternative.update(allergens=["eggs", "gluten"], dietary=["vegetarian"])
    page = text_of(guest.get(f"/specials/{special.pk}"))
    marks = "Vegetarian Not gluten-free Contains: eggs and gluten"
    assert f"Penne al forno, $18.00 {marks}" in page
    assert f"Make me Penne al forno instead, at $18.00 a portion, its menu price {marks}" in page
    alternative.update(allergens=[], dietary=["gluten_free", "vegetarian"])
    page = text_of(guest.get(f"/specials/{special.pk}?later"))
    assert "its menu price Vegetarian Gluten-free Allergens not listed" in page
    assert "Not gluten-free" not in page


def test_the_alternative_is_shown_with_its_photo(guest: Any, special: Any, platform: None) -> None:
    assert "/240.webp" not in markup_of(guest.get(f"/specials/{special.pk}?without"))
    restaurant = special.restaurant
    photo = Photo.objects.create(restaurant=restaurant, width=240, height=180, widths=[240])
    Dish.objects.filter(pk=special.alternative_dish_id).update(photo=photo)
    page = markup_of(guest.get(f"/specials/{special.pk}?with"))
    assert f"/{photo.pk}/240.webp" in page.partition("If the minimum")[2].partition("</dd>")[0]


def test_the_count_beside_the_seats_says_what_is_ordered_once_the_minimum_is_met(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    """The drawing's label says it to a screen reader, and the contract's words aren't seen."""
    SpecialOffer.objects.update(ordered_portions=15)
    markup = markup_of(guest.get(f"/specials/{special.pk}"))
    [count] = re.findall(r'<p class="seats-count" aria-hidden="true">(.*?)</p>', markup)
    contract = '<span class="visually-hidden"><span data-current>15</span>/12 pre-orders</span>'
    assert contract in count
    assert "<span data-ordered>15 ordered</span>" in count


@pytest.mark.parametrize(("ordered", "is_met"), [(8, False), (12, True)])
def test_the_bar_and_the_cards_steps_say_whether_the_minimum_is_met(
    guest: Any, special: SpecialOffer, platform: None, ordered: int, is_met: bool
) -> None:
    SpecialOffer.objects.update(ordered_portions=ordered)
    markup = markup_of(guest.get(f"/specials/{special.pk}"))
    # Whoever takes the alternative pays in any case.
    assert ">With tax. Not charged yet<" in markup
    assert ">Next: card details. Not charged yet<" in markup
    assert "You pay only if it's on" not in markup
    SpecialOffer.objects.update(has_alternative=False)
    markup = markup_of(guest.get(f"/specials/{special.pk}?fresh=1"))
    hidden = dict(re.findall(r"<span data-when-(short|met)( hidden|)>(?:You pay|Not)", markup))
    assert hidden == {"short": " hidden" * is_met, "met": " hidden" * (not is_met)}
    steps = re.findall(
        r"<li(?: data-when-(\w+)( hidden)?)?[^>]*><span class=\"icon icon-(\w+)", markup
    )
    shown = "met" if is_met else "short"
    assert [(when, icon) for when, is_hidden, icon in steps if not is_hidden] == [
        ("", "lock"), (shown, "clock"), (shown, "ban"), ("", "check"),
    ]  # fmt: skip


def test_the_address_stands_once(guest: Any, special: SpecialOffer) -> None:
    main = text_of(guest.get(f"/specials/{special.pk}")).partition("Share")[2]
    assert main.count("1 Mulberry Street, New York, NY 10013") == 1


def test_the_script_finds_what_it_keeps_current(guest: Any, special: Any) -> None:
    page = guest.get(f"/specials/{special.pk}").content.decode()
    assert f'data-progress-url="/api/specials/{special.pk}/progress"' in page
    assert 'data-countdown="2027-03-23T22:00:00Z"' in page
    assert 'data-unit-cents="2400" data-tax-rate="8.00"' in page
    assert f'data-share="http://luigis.localhost:{_port()}/specials/{special.pk}"' in page


def test_a_chat_gets_the_dish_the_day_and_the_link(guest: Any, special: Any) -> None:
    page = guest.get(f"/specials/{special.pk}").content.decode()
    [sent] = re.findall(r'href="https://wa\.me/\?text=([^"]+)"', page)
    link = f"http://luigis.localhost:{_port()}/specials/{special.pk}"
    [text] = {html.unescape(each) for each in re.findall(r'data-share-text="([^"]+)"', page)}
    assert unquote_plus(sent) == f"{text}: {link}"
    price = "$24.00 instead of $30.00"
    gap = "4 more and it's on, and you pay only then"
    by = "Order by Tue, Mar 23, 6:00 PM EDT"
    assert text == f"Osso buco at Luigi's, Wed, Mar 24: {price}. {gap}. {by}"


def test_previews_and_search_engines_are_told(guest: Any, special: Any) -> None:
    page = guest.get(f"/specials/{special.pk}").content.decode()
    url = f"http://luigis.localhost:{_port()}/specials/{special.pk}"
    assert f'<link rel="canonical" href="{url}">' in page
    assert f'<meta property="og:url" content="{url}">' in page
    assert '"availability": "https://schema.org/PreOrder"' in page


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (OfferStatus.ACTIVE, "Deciding now The deadline has passed"),  # nobody has closed it yet
        (OfferStatus.CLOSING, "Deciding now The deadline has passed"),
        (
            OfferStatus.SUCCEEDED,
            "It's on. Orders are closed Luigi's will cook 12 portions for Wed, Mar 24",
        ),
        (
            OfferStatus.FAILED,
            "Not this time 8 of the 12 portions it needed were ordered. Guests who had agreed "
            "to Penne al forno instead get that.",
        ),
    ],
)
def test_the_page_shows_the_outcome_after_the_deadline(
    guest: Any, special: SpecialOffer, clock: Clock, status: str, words: str
) -> None:
    with rls.acting_as(rls.PLATFORM):
        ordered = 12 if status == OfferStatus.SUCCEEDED else 8
        SpecialOffer.objects.update(status=status, ordered_portions=ordered)
    clock.set(special.deadline)
    response = guest.get(f"/specials/{special.pk}")
    page = text_of(response)
    assert words in page
    assert "Expired Luigi's" in page
    markup = response.content.decode()
    assert page.startswith(f"{special.name} · Luigi's")  # and no price that sells it
    assert f'property="og:title" content="{special.name}">' in markup_of(response)
    asks = "Did you order? Find your order"
    assert (asks in page) is (status in (OfferStatus.SUCCEEDED, OfferStatus.FAILED))
    assert "Pre-orders closed Tue, Mar 23, 6:00 PM EDT Offer Expired" in page
    # What may still be served isn't history.
    assert ("Was $24.00 a portion" in page) is (status == OfferStatus.FAILED)
    assert "$24.00 a portion" in page
    assert '<button class="visually-hidden" disabled>Offer Expired</button>' in markup
    assert "Regular price" not in page
    for gone in ("How it works", "Minimum:", "Alternative:", "WhatsApp"):
        assert gone not in page
    order = [words, "Slow-braised for nine hours.", "Tell me when it's back"]
    assert sorted(order, key=page.index) == order
    # The notice beside it says both.
    assert 'class="seats-sentence visually-hidden" aria-hidden="true"' in markup
    assert ("/12 pre-orders" in page) is (status != OfferStatus.FAILED)
    assert "pre-orders" not in heard_in(response)
    assert words in heard_in(response)
    # Many of them wrap as those of an open one do, without a count.
    assert markup.count('<div class="seats-line"><span class="seats-row"') == 1
    assert "seats-count" not in markup
    assert "Tell me when it's back" in page
    assert "Order by" not in page
    # Nothing can be ordered; a guest can ask to hear when it's back.
    assert re.findall(r'<form [^>]*action="([^"]*)"', markup) == ["/follow"]
    assert markup.count("<form") == 1


def test_a_sold_out_special_offers_the_waitlist(guest: Any, cast: Cast) -> None:
    full = SpecialOfferFactory(
        restaurant=cast.restaurant, max_preorders=4, ordered_portions=4, reserved_portions=4
    )
    response = guest.get(f"/specials/{full.pk}")
    assert (
        "Join the waitlist You'd be first in line. When it's your turn, we'll email you and "
        "reserve your portions for up to 2 hours. You don't need a card until then."
        in text_of(response)
    )
    # On a phone, a bar leads to it.
    bar = r"""<div class="sticky-action[^>]*><a [^>]*href="#waiting-list">Join the waitlist</a>"""
    assert re.search(bar, response.content.decode())
    # One form at a time: the other one is folded.
    folded = r"""when it's back</summary>(?:(?!</details>).)*<form[^>]* id="follow\""""
    assert re.search(folded, response.content.decode(), re.DOTALL)


def test_the_form_offers_no_more_than_is_left(guest: Any, cast: Cast) -> None:
    nearly = SpecialOfferFactory(
        restaurant=cast.restaurant, max_preorders=4, ordered_portions=1, reserved_portions=2
    )
    page = markup_of(guest.get(f"/specials/{nearly.pk}"))
    assert 'min="1" max="2"' in page


def test_pre_orders_open_soon(api: Any, db: None) -> None:
    restaurant = RestaurantFactory(account__charges_enabled=False)
    offer = SpecialOfferFactory(restaurant=restaurant)
    special = Special(offer, NOON)
    response = api(at=restaurant).get(f"/specials/{offer.pk}")
    markup = response.content.decode()
    # The way to the field to hear of it, which is below a phone's first screen.
    assert 'href="#follow-title">Email me when orders open</a>' in markup
    assert "Pre-Order Now" not in markup
    assert f"Goes ahead with {offer.min_preorders} portions" in text_of(response)
    assert "more and it's on" not in text_of(response)
    assert 'class="seat"' not in markup
    # Nothing is about to close that never opened, and nothing can be back.
    assert "data-countdown" not in markup
    page = text_of(response)
    assert (
        f"Pre-orders open soon {restaurant.name} hasn't set a day yet."
        f" They close {special.deadline}. Leave your email, and we'll tell you when you"
        " can order this."
    ) in page
    assert "Order by" not in page
    assert "Email Email me We'll send one email first, to confirm your address." in page
    assert markup.count('id="follow"') == markup.count('name="email"') == 1
    assert "Tell me when it's back" not in page


def test_pre_orders_open_on_the_day_that_the_restaurant_plans(api: Any, db: None) -> None:
    restaurant = RestaurantFactory(
        account__charges_enabled=False, opening_day=NOON.date() + timedelta(days=1)
    )
    offer = SpecialOfferFactory(restaurant=restaurant)
    guest = api(at=restaurant)
    page = text_of(guest.get(f"/specials/{offer.pk}"))
    assert f"Pre-orders open soon {restaurant.name} plans to open them on Tue, Mar 23. " in page
    assert "set a day" not in page
    listed = text_of(guest.get("/specials"))
    assert (
        f"{restaurant.name} isn't taking orders yet. It plans to start on Tue, Mar 23. " in listed
    )
    assert "Pre-orders open soon. Planned for Tue, Mar 23. Email me" in listed
    said = guest.get(f"/specials/{offer.pk}").content.decode()
    closes = f"planned from Tue, Mar 23 and close {Special(offer, NOON).deadline}"
    assert re.search(rf'property="og:description" content="[^"]*Pre-orders are {closes}', said)
    assert f"Pre-orders are {closes}" in unquote_plus(said)  # what WhatsApp is given


@pytest.mark.parametrize("day", [NOON - timedelta(days=1), NOON + timedelta(days=2)])
def test_a_planned_day_that_passed_or_is_after_the_deadline_is_not_named(
    api: Any, db: None, day: datetime
) -> None:
    restaurant = RestaurantFactory(account__charges_enabled=False, opening_day=day.date())
    offer = SpecialOfferFactory(restaurant=restaurant)
    page = text_of(api(at=restaurant).get(f"/specials/{offer.pk}"))
    assert "Pre-orders open soon They close" in page
    assert "plans to" not in page


def test_no_planned_day_is_named_where_guests_can_order(api: Any, db: None) -> None:
    restaurant = RestaurantFactory(opening_day=NOON.date() + timedelta(days=1))
    offer = SpecialOfferFactory(restaurant=restaurant)
    guest = api(at=restaurant)
    for url in (f"/specials/{offer.pk}", "/specials"):
        assert "plans to" not in text_of(guest.get(url))
        assert "Planned for" not in text_of(guest.get(url))


@pytest.mark.parametrize("portions", [{}, {"goes_ahead": True}])
def test_what_is_shared_before_pre_orders_open_says_so(
    api: Any, db: None, portions: dict[str, Any]
) -> None:
    restaurant = RestaurantFactory(account__charges_enabled=False)
    offer = SpecialOfferFactory(restaurant=restaurant, **portions)
    closes = f"Pre-orders open soon and close {Special(offer, NOON).deadline}"
    markup = api(at=restaurant).get(f"/specials/{offer.pk}").content.decode()
    described = re.findall(r'(?:name|property)="(?:og:)?description" content="([^"]+)"', markup)
    day = Special(offer, NOON).serving.when
    hook = "" if portions else f"Goes ahead with {offer.min_preorders} portions. "
    assert described == [f"{hook}{closes}. Save 20%, served {day}."] * 2
    [alt] = re.findall(r'property="og:image:alt" content="([^"]+)"', markup)
    assert alt == f"{offer.name}: {closes}"
    [text] = set(re.findall(r'data-share-text="([^"]+)"', markup))
    assert text.endswith(f": $24.00 instead of $30.00. {hook}{closes}")


def test_a_missing_foreign_or_deleted_special_is_not_found(
    api: Any, cast: Cast, special: Any
) -> None:
    foreign = SpecialOfferFactory(restaurant=cast.other, name="Next door")
    deleted = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.DELETED)
    here = api(at=cast.restaurant)
    for unknown in (foreign.pk, deleted.pk, "00000000-0000-4000-8000-000000000000"):
        page = here.get(f"/specials/{unknown}")
        assert page.status_code == 404
        assert "Special Offer Not Found" in text_of(page)
        assert "You can order now at Luigi's Osso buco" in text_of(page)
        assert "special-card" in page.content.decode()
        styles = re.findall(r'rel="stylesheet" href="([^"]*)"', page.content.decode())
        assert styles == re.findall(
            r'rel="stylesheet" href="([^"]*)"', here.get("/specials").content.decode()
        )


def test_a_special_that_was_called_off_says_so_to_whoever_has_its_link(
    api: Any, cast: Cast, special: Any
) -> None:
    facts = {"name": "Osobuco de ayer", "status": OfferStatus.DELETED}
    deleted = SpecialOfferFactory(restaurant=cast.restaurant, **facts)
    foreign = SpecialOfferFactory(restaurant=cast.other, **facts)
    here = api(at=cast.restaurant)
    page = here.get(f"/specials/{deleted.pk}")
    assert page.status_code == 404
    said = text_of(page)
    assert said.startswith("Canceled: Osobuco de ayer · Luigi's ")
    assert "Special Offer Not Found</title>" not in page.content.decode()
    day = "Wed, Mar 24 · Dine in or pickup"
    why = "Canceled. No one pays. Luigi's canceled it. All holds are released."
    place = "1 Mulberry Street, New York, NY 10013 Allergens not listed"
    facts_shown, _, after = said.partition(f" {why}")
    assert after
    assert f"Osobuco de ayer Special Offer Not Found {day} {place}" in facts_shown
    assert "Special Offer Not Found" not in heard_in(page)
    assert why in heard_in(page)
    assert 'id="where"' in page.content.decode()
    assert "<aside" in markup_of(page).partition("No one pays.")[0]
    assert '<s class="muted"><time' in markup_of(page)
    assert 'class="special-tools"><a class="small" href="/specials">' in page.content.decode()
    assert "may have expired" not in said
    assert "24.00" not in said.partition("You can order now")[0]
    assert 'id="pre-order"' not in page.content.decode()
    assert "No one pays" not in text_of(here.get(f"/specials/{foreign.pk}"))
    assert api().get(f"/specials/{deleted.pk}").status_code == 404


@pytest.mark.parametrize("name", ["not-an-id", "Osso-Buco-2", "42"])
def test_an_address_that_is_no_id_says_so_on_the_restaurants_own_page(
    api: Any, cast: Cast, name: str
) -> None:
    page = api(at=cast.restaurant).get(f"/specials/{name}")
    assert page.status_code == 404
    said = "We can't find this special It may be over, or the link is mistyped."
    assert said in text_of(page)
    assert said in heard_in(page)
    contract = "Special Offer Not Found This special offer may have expired or does not exist."
    assert contract in text_of(page)
    assert contract not in heard_in(page)
    assert 'href="/specials">Luigi&#x27;s</a>' in page.content.decode()
    with_rid = api().get(f"/specials/{name}?rid={cast.restaurant.pk}")
    shown = with_rid.content.decode()
    specials = shown.index(f'href="/specials?rid={cast.restaurant.pk}">See the specials')
    assert specials < shown.index(f'href="/patron?rid={cast.restaurant.pk}">See the menu')
    assert "Special Offer Not Found" in text_of(api().get(f"/specials/{name}"))


def test_the_teams_history_is_not_taken_for_a_special(api: Any, cast: Cast) -> None:
    assert api(cast.owner).get("/specials/history").status_code == 200


def test_the_platform_host_shows_it_too(api: Any, cast: Cast, special: Any) -> None:
    page = api().get(f"/specials/{special.pk}")
    assert "Osso buco" in text_of(page)
    # The header's name and the link at the end: both stay with this restaurant.
    assert page.content.decode().count(f'href="/specials?rid={cast.restaurant.pk}"') >= 1
    assert f'href="/specials?rid={cast.restaurant.pk}">Luigi' in page.content.decode()
    assert 'href="/specials"' not in page.content.decode()
    assert api().get("/specials/00000000-0000-4000-8000-000000000000").status_code == 404


def test_the_queries_are_few_and_no_cookie_is_set(
    guest: Any, special: Any, django_assert_num_queries: Any
) -> None:
    guest.get("/")
    with django_assert_num_queries(QUERIES):
        page = guest.get(f"/specials/{special.pk}")
    assert not page.cookies
    assert "public" in page.headers["Cache-Control"]


def test_a_guest_back_from_an_abandoned_checkout_can_continue_it(guest: Any, special: Any) -> None:
    order = PreOrderFactory(
        offer=special, quantity=2, in_checkout=True, checkout_url="https://pay.test/c/1"
    )
    response = guest.get(f"/specials/{special.pk}?cancelled=1&preorder={order.pk}")
    page = text_of(response)
    assert "Your card wasn't held or charged." in page
    assert "2 portions ($51.84)" in page
    assert 'href="https://pay.test/c/1"' in response.content.decode()
    assert "Dana" not in page
    assert "dana@example.test" not in response.content.decode()


@pytest.mark.parametrize("case", ["none", "foreign", "ended", "held", "nonsense", "nul"])
def test_a_canceled_checkout_that_cannot_be_resumed_says_that_no_card_is_held(
    guest: Any, special: Any, clock: Clock, case: str
) -> None:
    order = PreOrderFactory(
        offer=SpecialOfferFactory() if case == "foreign" else special,
        in_checkout=case != "held",
        checkout_url="https://pay.test/c/1",
    )
    if case == "ended":
        clock.advance(minutes=31)
    named = {"none": "", "nonsense": "&preorder=x", "nul": "&preorder=%00"}
    query = named.get(case, f"&preorder={order.pk}")
    response = guest.get(f"/specials/{special.pk}?cancelled=1{query}")
    assert response.status_code == 200
    assert "Your card wasn't held or charged." in text_of(response)
    assert "pay.test" not in response.content.decode()


def test_the_page_is_current_again_after_a_moment(
    guest: Any, special: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.offers import page_cache

    now = time()
    monkeypatch.setattr(page_cache, "time", lambda: now)
    path = f"/specials/{special.pk}"
    assert "8 /12" in text_of(guest.get(path))
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(ordered_portions=9)
    assert "8 /12" in text_of(guest.get(path))
    later = now + page_cache.FRESH_SECONDS + 0.1
    monkeypatch.setattr(page_cache, "time", lambda: later)
    assert "9 /12" in text_of(guest.get(path))


def test_a_crowd_is_served_while_one_renders(
    guest: Any, special: Any, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    from apps.offers import page_cache

    now = time()
    monkeypatch.setattr(page_cache, "time", lambda: now)
    path = f"/specials/{special.pk}"
    guest.get(path)
    later = now + page_cache.FRESH_SECONDS + 0.1
    monkeypatch.setattr(page_cache, "time", lambda: later)
    assert page_cache._first_to_render(f"page:en-us:luigis.localhost{path}")
    with django_assert_num_queries(0):
        assert guest.get(path).status_code == 200


def test_a_wide_offer_is_a_bar(guest: Any, cast: Cast) -> None:
    wide = SpecialOfferFactory(
        restaurant=cast.restaurant, min_preorders=40, max_preorders=60, ordered_portions=15
    )
    page = guest.get(f"/specials/{wide.pk}").content.decode()
    assert '<rect class="seats-fill" width="37.5"' in page
    assert 'aria-label="15 ordered, 40 needed, 60 at most"' in page


@override_settings(DEBUG=False)
def test_a_failure_page_stands_alone(
    guest: Any, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    guest.get("/")
    guest.raise_request_exception = False

    def fails(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("apps.offers.views.specials.restaurant_on_show", fails)
    with django_assert_num_queries(0):
        page = guest.get("/specials")
    assert page.status_code == 500
    assert "Something went wrong" in text_of(page)


@override_settings(DEBUG=False)
def test_an_address_that_a_restaurant_does_not_have_asks_only_for_what_to_order_instead(
    guest: Any, special: SpecialOffer, django_assert_num_queries: Any
) -> None:
    guest.get("/")
    with django_assert_num_queries(1):
        page = guest.get("/nothing/here")
    assert page.status_code == 404
    assert "Page not found" in text_of(page)
    assert f'href="/specials/{special.pk}"' in page.content.decode()


@pytest.mark.django_db
@override_settings(DEBUG=False)
def test_an_address_that_the_platform_does_not_have_stands_alone(
    api: Any, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        page = api().get("/nothing/here")
    assert page.status_code == 404
    assert "Page not found" in text_of(page)


def _port() -> int:
    from django.conf import settings

    return settings.PUBLIC_PORT


def test_a_failed_special_without_an_alternative_says_that_nobody_was_charged(
    guest: Any, cast: Cast
) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.FAILED)
    page = text_of(guest.get(f"/specials/{offer.pk}"))
    assert "No one was charged." in page


@pytest.mark.parametrize("status", [OfferStatus.FAILED, OfferStatus.DELETED])
def test_a_closed_special_leads_to_the_menu_where_no_other_is_open(
    guest: Any, cast: Cast, status: OfferStatus
) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, status=status)
    menu = '<a class="button" href="/patron">See the menu</a>'
    page = guest.get(f"/specials/{offer.pk}").text
    assert menu in page
    assert page.index("Tell me when it's back") < page.index(menu)
    assert "See all specials" not in page
    SpecialOfferFactory(restaurant=cast.restaurant, max_preorders=9, reserved_portions=9)
    page = guest.get(f"/specials/{offer.pk}?again=2").text
    assert page.index(menu) < page.index('<a href="/specials">See all specials</a>')
    SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")
    page = guest.get(f"/specials/{offer.pk}?again=1").text
    assert "You can order now at" in page
    assert menu not in page


@pytest.mark.parametrize("status", [OfferStatus.ACTIVE, OfferStatus.FAILED])
def test_the_way_back_from_a_special_is_the_list_of_those_that_are_open(
    guest: Any, cast: Cast, status: OfferStatus
) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, status=status)
    tools = markup_of(guest.get(f"/specials/{offer.pk}")).partition('class="special-tools"')[2]
    first = tools.partition("<a")[2].partition("</a>")[0]
    assert "to all specials" in first
    assert "hidden>" not in first
    assert 'href="/specials"' in first


def test_a_special_below_the_minimum_does_not_say_that_it_is_met(guest: Any, cast: Cast) -> None:
    """The restaurant went ahead with what there was."""
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, status=OfferStatus.SUCCEEDED, ordered_portions=2
    )
    page = text_of(guest.get(f"/specials/{offer.pk}"))
    assert "It's on. Orders are closed Luigi's will cook 2 portions for Wed, Mar 24." in page
    assert "Was $" not in page
    assert "Enough guests" not in page


def test_a_closed_special_draws_all_that_was_ordered(guest: Any, cast: Cast) -> None:
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant,
        status=OfferStatus.SUCCEEDED,
        min_preorders=12,
        ordered_portions=13,
    )
    page = guest.get(f"/specials/{offer.pk}").content.decode()
    assert len(re.findall(r'<span class="seat"\s+data-filled></span>', page)) == 13
    assert "<span data-ordered>" not in page


def test_a_special_that_was_served_is_told_in_the_past(
    guest: Any, cast: Cast, clock: Clock
) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.SUCCEEDED)
    told = {
        0: "It's on. Orders are closed Luigi's will cook it for Wed",
        1: "It's on. Orders are closed It's served today.",
        2: "It went ahead It was served on Wed",
    }
    for days, says in told.items():
        clock.set(offer.deadline + timedelta(days=days))
        page = guest.get(f"/specials/{offer.pk}?afresh={days}")  # not the cached one
        assert says in text_of(page)


def test_a_special_that_nobody_decided_in_time_says_no_numbers(guest: Any, cast: Cast) -> None:
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, status=OfferStatus.FAILED, ordered_portions=3
    )
    page = text_of(guest.get(f"/specials/{offer.pk}"))
    assert "Not this time It couldn't go ahead. No one was charged." in page


@pytest.mark.parametrize(("failed", "said"), [(2, True), (1, False)])
def test_the_restaurants_record_is_told_once_there_is_enough_of_it(
    guest: Any, special: Any, cast: Cast, failed: int, said: bool
) -> None:
    for status, count in ((OfferStatus.SUCCEEDED, 3), (OfferStatus.FAILED, failed)):
        SpecialOfferFactory.create_batch(count, restaurant=cast.restaurant, status=status)
    SpecialOfferFactory.create_batch(5, restaurant=cast.other, status=OfferStatus.SUCCEEDED)
    for path in (f"/specials/{special.pk}", "/specials", "/patron"):
        page = text_of(guest.get(path))
        assert ("3 of 5 specials went ahead" in page) is said
        assert ("went ahead" in page) is said
