"""How a special is eaten, and from when until when: input, texts, and until when it can change."""

from datetime import time, timedelta
from typing import Any

import pytest
from django.utils import translation

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.serving import ServiceMode, serving_of
from tests.conftest import NOON, Cast
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.offers.bodies import create_body, edit_body

pytestmark = pytest.mark.django_db
PATH = "/api/dishes/special-offers"


@pytest.fixture
def owner(api, cast, clock):
    return api(cast.owner)


@pytest.fixture
def offer(cast, clock):
    return SpecialOfferFactory(restaurant=cast.restaurant, serve_from=time(19))


def test_a_special_says_when_and_how_it_is_eaten(owner, cast):
    body = create_body(
        serviceMode="dine_in", serveFrom="18:30", serveUntil="21:00", story="Grandma's."
    )
    answer = owner.post(PATH, body)
    assert answer.status_code == 201, answer.content
    special = answer.json()
    assert special["serviceMode"] == "dine_in"
    assert (special["serveFrom"], special["serveUntil"]) == ("18:30", "21:00")
    assert special["servingText"] == "Tue, Mar 23 · 6:30–9:00 PM · Dine in"
    assert special["story"] == "Grandma's."


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"serviceMode": "picnic"}, "serviceMode", "Choose from: dine_in, pickup, both"),
        ({"serviceMode": None}, "serviceMode", "Choose from: dine_in, pickup, both"),
        ({"serveFrom": "7 PM"}, "serveFrom", "Enter a time like 18:30"),
        ({"serveFrom": "25:00"}, "serveFrom", "Enter a time like 18:30"),
        (
            {"serveUntil": "20:00"},
            "serveUntil",
            "Say when serving starts, or leave both times empty",
        ),
        (
            {"serveFrom": "20:00", "serveUntil": "20:00"},
            "serveUntil",
            "Serving must end after it starts, on the same day",
        ),
        # The deadline is at noon in New York that day.
        (
            {"serveFrom": "09:00", "serveUntil": "12:00"},
            "serveUntil",
            "The deadline for orders must be before serving ends",
        ),
    ],
)
def test_times_that_make_no_sense_are_refused(owner, sent, field, message):
    answer = owner.post(PATH, create_body(**sent))
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert (error["field"], error["message"]) == (field, message)
    with rls.acting_as(rls.PLATFORM):
        assert not SpecialOffer.objects.exists()


def test_empty_times_are_no_times(owner):
    special = owner.post(PATH, create_body(serveFrom="", serveUntil="")).json()
    assert (special["serveFrom"], special["serveUntil"]) == (None, None)


@pytest.mark.parametrize(
    ("start", "end", "mode", "text"),
    [
        (None, None, ServiceMode.BOTH, "Wed, Mar 24 · Dine in or pickup"),
        (time(19), None, ServiceMode.DINE_IN, "Wed, Mar 24 · from 7:00 PM · Dine in"),
        (time(11), time(13), ServiceMode.PICKUP, "Wed, Mar 24 · 11:00 AM – 1:00 PM · Pickup"),
    ],
)
def test_the_line_names_day_times_and_mode(offer, start, end, mode, text):
    offer.serve_from, offer.serve_until, offer.service_mode = start, end, mode
    assert serving_of(offer).text == text


def test_the_line_is_written_in_the_readers_language(offer):
    offer.service_mode = ServiceMode.BOTH
    with translation.override("es"):
        text = serving_of(offer).text
    assert "desde las 7:00 p. m." in text.replace("\u00a0", " ")
    assert text.endswith("Comer aquí o para llevar")


@pytest.mark.parametrize(
    ("changes", "is_allowed"),
    [
        ({"serveFrom": "18:00"}, True),
        ({"serveFrom": None}, True),
        ({"serveFrom": "19:30"}, False),
        ({"serveUntil": "22:00"}, False),
        ({"serviceMode": "dine_in"}, False),
    ],
)
def test_once_guests_have_ordered_it_can_only_be_served_longer(owner, offer, changes, is_allowed):
    PreOrderFactory(offer=offer)
    answer = owner.put(f"/api/dishes/{offer.pk}", edit_body(offer, **changes))
    assert answer.status_code == (200 if is_allowed else 409), answer.content
    if not is_allowed:
        (error,) = answer.json()["errors"]
        assert error["field"] == "serveFrom"
        assert "you can only serve longer" in error["message"]


@pytest.mark.parametrize(
    ("serve_from", "serve_until", "words"),
    [
        (time(18), time(22), "between 6:00 and 10:00 PM on Wed, Mar 24"),
        (time(11, 30), time(14), "between 11:30 AM and 2:00 PM on Wed, Mar 24"),
        (time(19), None, ""),
        (None, None, ""),
    ],
)
def test_a_time_window_reads_as_a_sentence_when_it_has_both_ends(
    cast, clock, serve_from, serve_until, words
):
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, serve_from=serve_from, serve_until=serve_until
    )
    assert serving_of(offer).between == words


def test_spanish_hours_do_not_end_the_sentence_with_two_periods(offer):
    """`p. m.` ends with one already."""
    offer.serve_until = time(22)
    with translation.override("es"):
        any_time = serving_of(offer).any_time
    assert any_time == "de 7:00 a 10:00 p.\u00a0m., a la hora que quieras"


@pytest.mark.parametrize("mode", ["dine_in", "pickup", "both"])
def test_no_spanish_sentence_of_a_specials_page_ends_with_two_periods(
    api: Any, cast: Cast, mode: str
) -> None:
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant,
        service_mode=mode,
        serve_from=time(19),
        serve_until=None,
        deadline=NOON + timedelta(days=1),
    )
    page = api(at=cast.restaurant).get(f"/specials/{offer.pk}?lang=es").content.decode()
    assert "7:00 p.\u00a0m." in page
    assert "m.." not in page
