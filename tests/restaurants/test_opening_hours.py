"""Opening hours in words, as guests and staff read them."""

from typing import Any

import pytest
from django.utils import translation

from apps.restaurants.opening_hours import in_words
from tests.conftest import Cast
from tests.factories import SpecialOfferFactory
from tests.pages import text_of


def span(opens: str, closes: str) -> dict[str, str]:
    return {"opens": opens, "closes": closes}


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        ({"monday": [span("17:00", "22:00")]}, "Mon 5–10 PM"),
        (
            {day: [span("11:30", "14:30")] for day in ("monday", "tuesday", "wednesday")},
            "Mon–Wed 11:30 AM–2:30 PM",
        ),
        (
            {day: [span("17:00", "22:00")] for day in ("monday", "wednesday")},
            "Mon 5–10 PM; Wed 5–10 PM",
        ),
        (
            {"friday": [span("11:00", "11:45"), span("17:30", "01:00")]},
            "Fri 11–11:45 AM, 5:30 PM–1 AM",
        ),
        ({"sunday": [span("12:00", "00:00")]}, "Sun 12 PM–12 AM"),
        ({"sunday": [span("18:00", "17:00")]}, "Sun 6 PM–5 PM"),
        ("When the sign is lit", "When the sign is lit"),
        ({}, ""),
    ],
)
def test_equal_days_in_a_row_are_one_entry(hours, text):
    assert in_words(hours) == text


def test_they_are_in_the_readers_language() -> None:
    hours = {day: [span("11:30", "14:30")] for day in ("monday", "tuesday")}
    with translation.override("es"):
        assert in_words(hours) == "Lun–mar 11:30 a.\u00a0m.–2:30 p.\u00a0m."


@pytest.mark.parametrize("path", ["/specials", "/patron", "/specials/{offer}", "/find-order"])
def test_every_page_of_a_restaurant_shows_them(
    guest: Any, cast: Cast, clock: Any, path: str
) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    cast.restaurant.hours_of_operation = {"sunday": [span("12:00", "21:00")]}
    cast.restaurant.save(update_fields=["hours_of_operation"])
    page = text_of(guest.get(path.format(offer=offer.pk)))
    assert "Sun 12–9 PM" in page


def test_a_restaurant_without_any_shows_none(guest: Any, cast: Cast, clock: Any) -> None:
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    assert "Opening hours" not in text_of(guest.get(f"/specials/{offer.pk}"))
