"""The picture that chats show for a special's link."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.utils import translation
from PIL import Image, ImageDraw

from apps.offers import share_image
from apps.offers.drawing import Canvas, font, wrapped
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
        (LONG, {"min_preorders": 10}),
        ("Taco Night", {"min_preorders": 10}),
    ],
    ids=["two rows", "on", "being ordered", "bar", "opens later", "opens later, short"],
)
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_price_ends_above_the_seats(
    db: None, monkeypatch: pytest.MonkeyPatch, language: str, name: str, portions: dict[str, int]
) -> None:
    """However long the name and the sentence about the seats are."""
    takes_orders = "ordered_portions" in portions
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
        restaurant=RestaurantFactory(account__charges_enabled=takes_orders),
        name=name,
        deadline=NOON + timedelta(hours=9),
        **portions,
    )
    with translation.override(language):
        picture = share_image.share_image(Special(offer, NOON))
    assert picture.startswith(b"\xff\xd8")  # JPEG
    assert edges["price"] <= edges["seats"]


def texts_of(monkeypatch: pytest.MonkeyPatch, special: Special) -> list[str]:
    """What the picture says, one line each, apart from the price and the seats."""
    drawn: list[str] = []
    write, photo = Canvas.text, Canvas.photo

    def beginning(self: Canvas, box: Any) -> None:
        drawn.clear()  # of what was only measured
        photo(self, box)

    def recording(self: Canvas, at: tuple[int, int], text: str, **how: Any) -> int:
        drawn.extend(wrapped(text, how["size"], how["width"], most=how.get("most", 1)))
        return write(self, at, text, **how)

    monkeypatch.setattr(Canvas, "text", recording)
    monkeypatch.setattr(Canvas, "photo", beginning)
    share_image.share_image(special)
    return drawn


@pytest.mark.parametrize(
    ("portions", "hours", "said"),
    [
        ({"ordered_portions": 7}, 0, True),
        ({"ordered_portions": 10}, 0, True),
        ({"ordered_portions": 12, "reserved_portions": 12}, 0, False),
        ({"ordered_portions": 7}, 10, False),
    ],
    ids=["open", "on", "sold out", "closed"],
)
def test_the_picture_says_until_when_a_special_can_be_ordered(
    db: None, monkeypatch: pytest.MonkeyPatch, portions: dict[str, int], hours: int, *, said: bool
) -> None:
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(),
        deadline=NOON + timedelta(hours=9),
        min_preorders=10,
        max_preorders=12,
        **portions,
    )
    special = Special(offer, NOON + timedelta(hours=hours))
    line = f"Order by {special.deadline}"
    assert (line in texts_of(monkeypatch, special)) == said


def test_the_picture_has_no_seats_before_pre_orders_open(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    write = ImageDraw.ImageDraw.text

    def recording(self: Any, at: Any, text: str, **how: Any) -> None:
        written.append(text)
        write(self, at, text, **how)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", recording)
    monkeypatch.delattr(Canvas, "_dots")
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(account__charges_enabled=False),
        deadline=NOON + timedelta(hours=9),
    )
    special = Special(offer, NOON)
    share_image.share_image(special)
    said = " ".join(written)
    assert "Opens soon" in said
    assert "close" not in said
    assert f"Goes ahead with {offer.min_preorders} portions" in said
    assert "Order by" not in said
    assert "it's on" not in said


@pytest.mark.parametrize(
    ("name", "minimum", "lines"),
    [
        ("Taco Night", 10, ["Goes ahead with 10 portions"]),
        ("Enmoladas, Mole of Thirty Things", 10, ["Goes ahead with 10 portions"]),
        ("Taco Night", 10_000, ["Goes ahead with", "10,000 portions"]),
    ],
)
def test_what_it_takes_fills_the_room_of_the_seats_that_are_not_drawn_yet(
    db: None, monkeypatch: pytest.MonkeyPatch, name: str, minimum: int, lines: list[str]
) -> None:
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(account__charges_enabled=False),
        name=name,
        min_preorders=minimum,
        deadline=NOON + timedelta(hours=9),
    )
    said = texts_of(monkeypatch, Special(offer, NOON))
    assert [line for line in said if "portions" in line or "Goes" in line] == lines


@pytest.mark.parametrize("takes_orders", [True, False])
@pytest.mark.parametrize("name", ["Taco Night", "Enmoladas, Mole of Thirty Things"])
def test_nothing_stands_apart_where_there_is_room(
    db: None, monkeypatch: pytest.MonkeyPatch, name: str, *, takes_orders: bool
) -> None:
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(account__charges_enabled=takes_orders),
        name=name,
        min_preorders=10,
        ordered_portions=14,
        max_preorders=None,
        deadline=NOON + timedelta(hours=9),
    )
    between: list[int] = []
    write = share_image._write

    def measuring(canvas: Canvas, margin: int) -> int:
        between.append(write(canvas, margin))
        return between[-1]

    monkeypatch.setattr(share_image, "_write", measuring)
    share_image.share_image(Special(offer, NOON))
    measured, drawn = between
    assert drawn == pytest.approx(min(measured, share_image.AIR), abs=1)


def test_the_deadline_is_whole_in_spanish(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = SpecialOfferFactory(restaurant=RestaurantFactory(), deadline=NOON + timedelta(hours=9))
    with translation.override("es"):
        special = Special(offer, NOON)
        said = " ".join(texts_of(monkeypatch, special))
        assert f"Pide a más tardar el {special.deadline}" in said


def test_another_deadline_makes_another_picture(db: None) -> None:
    offer = SpecialOfferFactory(restaurant=RestaurantFactory(), deadline=NOON + timedelta(hours=9))
    before = Special(offer, NOON).share_picture_url
    offer.deadline += timedelta(hours=1)
    assert Special(offer, NOON).share_picture_url != before


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Tiramisù, Half a Tray", ["Tiramisù,", "Half a Tray"]),
        ("Margherita", ["Margherita"]),
        ("Tagliatelle al Ragù, the Long Way", ["Tagliatelle al Ragù,", "the Long Way"]),
    ],
)
def test_a_name_is_whole_in_lines_of_like_length(
    db: None, monkeypatch: pytest.MonkeyPatch, name: str, lines: list[str]
) -> None:
    offer = SpecialOfferFactory(
        restaurant=RestaurantFactory(), name=name, deadline=NOON + timedelta(hours=9)
    )
    drawn = texts_of(monkeypatch, Special(offer, NOON))
    assert [line for line in drawn if line in name] == lines


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


def test_a_special_without_a_photo_has_a_plate_with_fork_and_knife(db: None) -> None:
    offer = SpecialOfferFactory(restaurant=RestaurantFactory(), deadline=NOON + timedelta(hours=9))
    picture = Image.open(io.BytesIO(share_image.share_image(Special(offer, NOON)))).convert("RGB")
    green = picture.getchannel("G").crop((0, 315, 500, 316)).tobytes()
    rim = [x for x, shade in enumerate(green) if abs(shade - 0xA4) < 24]
    # From left to right the fork, the plate's rings, and the knife; a stroke is a few pixels wide.
    strokes = [x for index, x in enumerate(rim) if index == 0 or x - rim[index - 1] > 8]
    assert strokes == pytest.approx([50, 90, 151, 348, 410, 446], abs=5)


@pytest.mark.parametrize(("status", "color"), [("active", "#b4380a"), ("failed", "#655c54")])
def test_the_picture_of_a_special_that_failed_is_gray(db: None, status: str, color: str) -> None:
    offer = SpecialOfferFactory(restaurant=RestaurantFactory(), deadline=NOON + timedelta(hours=9))
    offer.status = status
    assert Canvas(Special(offer, NOON), (1200, 630)).accent == color
