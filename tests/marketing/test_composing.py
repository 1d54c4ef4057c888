"""The text of an announcement, composed from the facts of its specials."""

from datetime import timedelta
from decimal import Decimal

import pytest

from apps.marketing.announcement_text import SHORT_LENGTH, Composed, Tone, compose, short_length
from apps.marketing.announcement_writer import write_announcement
from apps.offers.presentation import Special
from tests.conftest import NOON
from tests.factories import DishFactory, RestaurantFactory, SpecialOfferFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


@pytest.fixture
def restaurant():
    return RestaurantFactory(name="Luigi's", subdomain="luigis")


def special(restaurant, **facts):
    """A special that closes on Friday at noon in New York and is served on Saturday, by default."""
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


def test_a_playful_text_says_the_same_facts(restaurant):
    fresh = special(restaurant, ordered_portions=5)
    [text, _, link] = compose(restaurant, [fresh], tone="lively").message.split("\n")
    assert text == (
        "The table is filling up: Osso buco at Luigi's for $24.00 instead of $30.00 (save 20%), "
        "served Sat, Mar 27. Slow-braised for nine hours. 5 of 12 portions ordered, 7 more and "
        "it's on. Pre-order by Fri, Mar 26, 12:00 PM EDT. You pay only if it happens."
    )
    assert link == fresh.url


@pytest.mark.parametrize(
    ("ordered", "last"),
    [
        (10, "2 more and it's on. Pre-order by Fri, Mar 26, 12:00 PM EDT. You pay only if it "
         "happens."),
        (12, "It's on. Pre-order by Fri, Mar 26, 12:00 PM EDT."),
    ],
)  # fmt: skip
def test_the_facts_alone_are_one_to_a_line_with_what_is_missing(restaurant, ordered, last):
    plain = special(restaurant, ordered_portions=ordered)
    assert compose(restaurant, [plain], tone="plain").message.split("\n") == [
        "Osso buco at Luigi's",
        "$24.00 instead of $30.00 (save 20%), served Sat, Mar 27",
        last,
        "",
        plain.url,
    ]


def test_a_spanish_text_is_spanish_from_the_first_word_to_the_last(restaurant):
    one = special(restaurant, description="")
    spanish = compose(restaurant, [one], language="es")
    assert spanish.message.split("\n") == [
        "Nuevo: Osso buco en Luigi's por $24.00 en vez de $30.00 (ahorra 20%), se sirve el sáb "
        "27 mar. Lo cocinamos si se piden 12 porciones a más tardar el vie 26 mar, "
        "12:00 p.\N{NO-BREAK SPACE}m. EDT. Solo pagas si se cocina.",
        "",
        one.url,
    ]
    several = compose(restaurant, [one, special(restaurant, name="Risotto")], language="es")
    assert several.message.startswith("2 especiales en Luigi's. ")
    assert "en vez de" in several.message
    assert short_length(spanish.short) <= SHORT_LENGTH


def _theirs(restaurant, specials, *, tone, language):
    return Composed(f"Ours is better. {specials[0].url}", f"{tone} {specials[0].url}")


def _without_the_link(restaurant, specials, *, tone, language):
    return Composed("Come by!", "Come by!")


def _too_long(restaurant, specials, *, tone, language):
    return Composed("x" * 2000 + f" {specials[0].url}", specials[0].url)


def _broken(restaurant, specials, *, tone, language):
    raise TimeoutError


def test_another_writer_is_asked_first(restaurant, settings):
    settings.ANNOUNCEMENT_WRITER = f"{__name__}._theirs"
    one = special(restaurant)
    written = write_announcement(restaurant, [one], tone="lively", language="es")
    assert written == Composed(f"Ours is better. {one.url}", f"lively {one.url}")


@pytest.mark.parametrize("writer", ["_without_the_link", "_too_long", "_broken"])
def test_our_rules_write_when_another_writers_text_cannot_be_posted(restaurant, settings, writer):
    settings.ANNOUNCEMENT_WRITER = f"{__name__}.{writer}"
    one = special(restaurant)
    written = write_announcement(restaurant, [one], tone="plain", language="en-us")
    assert written == compose(restaurant, [one], tone="plain")


@pytest.mark.parametrize(
    ("tone", "language"),
    [(Tone.FRIENDLY, "en-us"), (Tone.LIVELY, "es"), (Tone.PLAIN, "es")],
)
@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize(
    "name", ["Osso buco", "x" * 200, "鱼香肉丝 " * 40, "A very long name " * 11]
)
@pytest.mark.parametrize("ordered", [5, 12])
def test_the_short_text_fits_and_keeps_its_link(restaurant, count, name, ordered, tone, language):
    restaurant.name = "The Restaurant with a Name that Goes on " * 3
    specials = [
        special(restaurant, name=name.strip()[:200], ordered_portions=ordered) for _ in range(count)
    ]
    short = compose(restaurant, specials, tone=tone, language=language).short
    assert short_length(short) <= SHORT_LENGTH
    assert short.split()[-1].startswith("http://")


def test_a_link_counts_as_23_and_an_emoji_as_two():
    assert short_length("See https://example.test/" + "x" * 200) == 4 + 23
    assert short_length("Yes 🍝") == 6
    assert short_length("It’s on") == 7
    assert short_length("On…") == 4
