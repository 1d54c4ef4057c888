"""The sentence that says how full an offer is."""

from datetime import datetime, time, timedelta

import pytest
from django.utils import translation

from apps.offers.seats import draw_seats, ordered_words, seats_of, sentence_with_yours
from apps.offers.states import OfferStatus
from tests.conftest import NOON
from tests.factories import RestaurantFactory, SpecialOfferFactory


@pytest.mark.parametrize(
    ("fields", "state", "sentence", "left", "limit"),
    [
        ({"ordered_portions": 0}, "open", "12 more and it's on", None, 20),
        ({"ordered_portions": 11}, "open", "1 more and it's on", None, 20),
        ({"ordered_portions": 12}, "on", "It's on", None, 20),
        (
            {"ordered_portions": 14, "reserved_portions": 14, "max_preorders": 24},
            "on",
            "It's on. 10 portions left",
            10,
            10,
        ),
        (
            {"ordered_portions": 12, "reserved_portions": 23, "max_preorders": 24},
            "on",
            "It's on. 1 portion left",
            1,
            1,
        ),
        (
            {"ordered_portions": 24, "reserved_portions": 24, "max_preorders": 24},
            "sold_out",
            "It's on. Sold out",
            0,
            0,
        ),
        (
            {"ordered_portions": 23, "reserved_portions": 24, "max_preorders": 24},
            "sold_out",
            "It's on. Last portion reserved",
            0,
            0,
        ),
        # Every portion is in somebody's checkout: full, though the minimum is not met yet.
        (
            {"ordered_portions": 2, "reserved_portions": 12, "max_preorders": 12},
            "sold_out",
            "Last 10 portions reserved. Some may open up",
            0,
            0,
        ),
        ({"status": OfferStatus.CLOSING}, "deciding", "Deciding now", None, 20),
        ({"deadline": NOON}, "deciding", "Deciding now", None, 20),
        ({"status": OfferStatus.SUCCEEDED}, "succeeded", "It's on", None, 20),
        (
            {"status": OfferStatus.FAILED},
            "failed",
            "Didn't reach its minimum. No one was charged",
            None,
            20,
        ),
    ],
)
def test_the_seats_have_a_state_and_a_sentence(fields, state, sentence, left, limit):
    offer = SpecialOfferFactory.build(
        restaurant=RestaurantFactory.build(),
        min_preorders=12,
        **{"deadline": NOON + timedelta(hours=1), **fields},
    )
    seats = seats_of(offer, NOON)
    assert (seats.state, seats.sentence) == (state, sentence)
    assert (seats.portions_left, seats.per_order_limit) == (left, limit)


@pytest.mark.parametrize(
    ("serve_from", "begins"), [(time(19), timedelta(hours=19)), (None, timedelta(days=1))]
)
def test_a_special_is_on_until_it_is_served_and_went_ahead_from_then(serve_from, begins) -> None:
    offer = SpecialOfferFactory.build(
        restaurant=RestaurantFactory.build(), status=OfferStatus.SUCCEEDED, serve_from=serve_from
    )
    begin = datetime.combine(offer.serve_date, time(), offer.restaurant.zone) + begins
    assert seats_of(offer, begin - timedelta(minutes=1)).sentence == "It's on"
    assert seats_of(offer, begin).sentence == "It went ahead"


def test_portions_in_a_guests_own_checkout_are_left_for_that_guest() -> None:
    counts = {"ordered_portions": 23, "reserved_portions": 24, "max_preorders": 24}
    offer = SpecialOfferFactory.build(
        restaurant=RestaurantFactory.build(),
        min_preorders=12,
        deadline=NOON + timedelta(hours=1),
        **counts,
    )
    assert seats_of(offer, NOON, own=1).sentence == "It's on. 1 portion left"


@pytest.mark.parametrize(
    ("fields", "own", "sentence"),
    [
        ({"ordered_portions": 9}, 2, "With yours, 1 more and it's on"),
        ({"ordered_portions": 9}, 3, "Your 3 portions make it happen!"),
        ({"ordered_portions": 11}, 1, "Your portion makes it happen!"),
        ({"ordered_portions": 12}, 1, "It's on"),
        ({"ordered_portions": 12, "reserved_portions": 13, "max_preorders": 13}, 1, "It's on"),
        ({"ordered_portions": 3, "goes_ahead": True}, 1, "It's on"),
        ({"ordered_portions": 9, "deadline": NOON}, 3, "Deciding now"),
    ],
)
def test_a_guest_in_checkout_reads_what_their_portions_do_for_a_special_that_is_short(
    fields, own, sentence
) -> None:
    offer = SpecialOfferFactory.build(
        restaurant=RestaurantFactory.build(),
        **{"min_preorders": 12, "deadline": NOON + timedelta(days=1), **fields},
    )
    assert sentence_with_yours(offer, NOON, own) == sentence


@pytest.mark.parametrize(
    ("ordered", "maximum", "reserved", "sentence"),
    [
        (9, None, 0, "3 more and it's on"),
        (9, None, 1, "3 more and it's on. 1\xa0of\xa0them is being ordered"),
        (9, 20, 2, "3 more and it's on. 2\xa0of\xa0them are being ordered"),
        (11, None, 1, "1 more and it's on. It's being ordered"),
        (9, None, 5, "3 more and it's on. They're being ordered"),
        (12, None, 1, "It's on"),
        (12, 20, 1, "It's on. 7 portions left. 1 is being ordered"),
        (19, 20, 1, "It's on. Last portion reserved"),
    ],
)
def test_the_sentence_says_what_is_missing_and_how_much_is_being_ordered(
    ordered: int, maximum: int | None, reserved: int, sentence: str
) -> None:
    """A portion that isn't ordered yet is missing, and isn't left for others."""
    offer = SpecialOfferFactory.build(
        restaurant=RestaurantFactory.build(),
        min_preorders=12,
        max_preorders=maximum,
        ordered_portions=ordered,
        reserved_portions=ordered + reserved,
        deadline=NOON + timedelta(days=1),
    )
    assert seats_of(offer, NOON).live_sentence == sentence
    assert "being ordered" not in seats_of(offer, NOON, own=reserved).live_sentence


def test_a_minimum_of_up_to_24_portions_is_drawn_as_dots() -> None:
    drawing = draw_seats(3, 4, None)
    assert [dot.filled for dot in drawing.dots] == [True] * 3 + [False]
    assert len(draw_seats(0, 24, 100).dots) == 24


def test_portions_ordered_beyond_the_minimum_are_drawn_and_those_in_a_checkout_are_not() -> None:
    drawing = draw_seats(6, 4, 8, being_ordered=1)
    assert [dot.filled for dot in drawing.dots] == [True] * 6
    assert len(draw_seats(24, 4, None).dots) == 24
    assert drawing.words == "6 ordered, 4 needed, 8 at most, 1 reserved"


def test_the_guests_own_portions_come_first_and_are_at_most_what_is_ordered() -> None:
    drawing = draw_seats(3, 4, None, own=2)
    assert [dot.is_own for dot in drawing.dots] == [True, True, False, False]
    assert [dot.filled for dot in drawing.dots] == [True, True, True, False]
    assert [dot.is_own for dot in draw_seats(1, 4, None, own=2).dots] == [True] + [False] * 3


def test_portions_in_a_checkout_are_neither_free_nor_ordered() -> None:
    drawing = draw_seats(2, 5, 5, being_ordered=2)
    drawn = [(dot.filled, dot.is_being_ordered) for dot in drawing.dots]
    assert drawn == [(True, False)] * 2 + [(False, True)] * 2 + [(False, False)]
    assert drawing.words == "2 ordered, 5 needed, 5 at most, 2 reserved"


def test_more_than_24_portions_are_drawn_as_a_bar_that_is_at_most_full() -> None:
    drawing = draw_seats(25, 40, 60)
    assert drawing.is_bar
    assert drawing.fill == 62.5
    for ordered, minimum in ((70, 40), (25, 20)):
        drawing = draw_seats(ordered, minimum, None)
        assert (drawing.is_bar, drawing.fill) == (True, 100.0)


@pytest.mark.parametrize(
    ("ordered", "words"), [(0, "0 de 1 pedidas"), (1, "1 pedida"), (1200, "1,200 pedidas")]
)
def test_the_count_says_what_is_ordered_in_the_readers_language(ordered: int, words: str) -> None:
    with translation.override("es"):
        assert ordered_words(ordered, minimum=1) == words
