"""What an announcement says, by the facts of the specials it is about."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.marketing.announcement_text import SHORT_LENGTH, compose, short_length
from apps.offers.presentation import Special
from tests.conftest import NOON
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture
def restaurant():
    return RestaurantFactory(name="Luigi's", subdomain="luigis")


def special(restaurant, **facts):
    """Due on Friday at noon in New York and served on Saturday, unless told otherwise."""
    terms = {
        "name": "Osso buco",
        "description": "Slow-braised for nine hours. With saffron risotto.",
        "created_at": NOON,
        "deadline": NOON + timedelta(days=4),
        "min_preorders": 12,
        **facts,
    }
    return Special(SpecialOfferFactory(restaurant=restaurant, **terms), NOON)


def lines(restaurant, *specials):
    return compose(restaurant, specials).message.split("\n")


def test_a_new_special_says_what_it_takes_and_what_happens_to_the_card(restaurant):
    fresh = special(restaurant)
    assert lines(restaurant, fresh) == [
        "New: Osso buco at Luigi's for $24.00 instead of $30.00 (save 20%), served Sat, Mar 27. "
        "Slow-braised for nine hours. We'll cook it if 12 portions are ordered by Fri, Mar 26, "
        "12:00 PM EDT. You pay only if it happens.",
        "",
        fresh.url,
    ]


@pytest.mark.parametrize(
    ("facts", "opening", "sentence"),
    [
        ({"ordered_portions": 5}, "On its way: Osso", "5 of 12 portions ordered, 7 more"),
        ({"ordered_portions": 10}, "2 more and it's on! Osso", "Pre-order by Fri, Mar 26"),
        ({"ordered_portions": 12}, "It's on! Osso", "Pre-order by Fri, Mar 26"),
        (
            {"ordered_portions": 12, "reserved_portions": 13, "max_preorders": 20},
            "It's on! Osso",
            "7 portions left. Pre-order by Fri, Mar 26",
        ),
        (
            {"created_at": NOON - timedelta(days=6), "deadline": NOON + timedelta(days=1)},
            "Last call: Osso",
            "12 more and it's on.",
        ),
        ({"deadline": NOON + timedelta(hours=1)}, "New: Osso", "by Mon, Mar 22, 1:00 PM EDT"),
        ({"min_preorders": 1}, "New: Osso", "We'll cook it if 1 portion is ordered by Fri, Mar 26"),
    ],
)
def test_the_voice_follows_from_the_facts(restaurant, facts, opening, sentence):
    [text, _, _] = lines(restaurant, special(restaurant, **facts))
    assert text.startswith(opening)
    assert sentence in text


def test_the_alternative_is_named(restaurant):
    dish = DishFactory(restaurant=restaurant, name="Lasagne")
    [text, *_] = lines(restaurant, special(restaurant, has_alternative=True, alternative_dish=dish))
    assert text.endswith("If it doesn't reach the minimum, we'll make Lasagne instead.")


def test_where_cards_cannot_be_charged_yet_nobody_is_asked_to_order(db):
    waiting = RestaurantFactory(account__charges_enabled=False)
    composed = compose(waiting, [special(waiting)])
    assert composed.message.startswith("Coming up: Osso buco")
    assert "Pre-orders open soon" in composed.message
    assert "Pre-order by" not in composed.message + composed.short


def test_several_are_listed_with_one_link(restaurant):
    first = special(restaurant, ordered_portions=11)
    second = special(restaurant, name="Risotto", special_price=Decimal("18.50"))
    assert lines(restaurant, first, second) == [
        "2 specials at Luigi's. We cook each one if enough of you order:",
        "",
        "• Osso buco, $24.00 instead of $30.00, Sat, Mar 27: 1 more and it's on",
        "• Risotto, $18.50 instead of $30.00, Sat, Mar 27: 12 more and it's on",
        "",
        "Pre-order now. You're only charged if it happens.",
        first.url.replace(first.path, "/specials"),
    ]


def test_an_announcement_names_five_specials_and_counts_the_rest(restaurant):
    text = compose(restaurant, [special(restaurant, name=f"Dish {n}") for n in range(8)]).message
    assert "Dish 4" in text
    assert "Dish 5" not in text
    assert "• and 3 more" in text


@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize(
    "name", ["Osso buco", "x" * 200, "鱼香肉丝 " * 40, "A very long name " * 11]
)
@pytest.mark.parametrize("ordered", [0, 5, 11, 12])
def test_the_short_text_fits_and_keeps_its_link(restaurant, count, name, ordered):
    restaurant.name = "The Restaurant with a Name that Goes on " * 3
    specials = [
        special(restaurant, name=name.strip()[:200], ordered_portions=ordered) for _ in range(count)
    ]
    short = compose(restaurant, specials).short
    assert short_length(short) <= SHORT_LENGTH
    assert short.split()[-1].startswith("http://")


def test_a_link_counts_as_23_and_an_emoji_as_two():
    assert short_length("See https://example.test/" + "x" * 200) == 4 + 23
    assert short_length("Yes 🍝") == 6
    assert short_length("It’s on") == 7
    assert short_length("On…") == 4
