"""The picture that chats show for a special's link."""

from datetime import timedelta
from typing import Any

import pytest

from apps.offers import share_image
from apps.offers.drawing import Canvas, font
from apps.offers.presentation import Special
from tests.conftest import NOON
from tests.factories import RestaurantFactory, SpecialOfferFactory

LONG = "Osso Buco alla Milanese with Saffron Risotto and Gremolata, for the Whole Family"


@pytest.mark.parametrize(
    ("name", "portions"),
    [
        (LONG, {"min_preorders": 24, "ordered_portions": 17}),
        (LONG, {"min_preorders": 12, "max_preorders": 24, "ordered_portions": 14}),
        (
            LONG,
            {"min_preorders": 6, "max_preorders": 24, "ordered_portions": 12}
            | {"reserved_portions": 24},
        ),
        ("Tiramisù", {"min_preorders": 40, "ordered_portions": 3}),
    ],
    ids=["two rows", "on", "being ordered", "bar"],
)
def test_the_price_ends_above_the_seats(
    db: None, monkeypatch: pytest.MonkeyPatch, name: str, portions: dict[str, int]
) -> None:
    """However long the name and the sentence about the seats are."""
    edges: dict[str, int] = {}

    def recording(part: str) -> None:
        draw = getattr(Canvas, part)

        def drawn(self: Canvas, *args: Any, **options: Any) -> int:
            edges[part] = draw(self, *args, **options)
            return edges[part]

        monkeypatch.setattr(Canvas, part, drawn)

    recording("price")
    recording("seats")
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(), name=name, deadline=NOON + timedelta(hours=9), **portions
    )
    picture = share_image.share_image(Special(offer, NOON))
    assert picture.startswith(b"\xff\xd8")  # JPEG
    assert edges["price"] <= edges["seats"]


@pytest.mark.parametrize(
    ("name", "is_display"),
    [
        ("Crème brûlée & “Œufs” – 50% off!", True),
        ("¿Paella? ¡Sí!", True),
        ("Burger Nº 1", False),
        ("Fries @ Home", False),
        ("ラーメン", False),
        ("Σπανακόπιτα", False),
    ],
)
def test_a_name_is_drawn_in_a_font_that_has_all_of_it(name: str, is_display: bool) -> None:
    assert ("fraunces" in str(font(40, name).path)) == is_display
