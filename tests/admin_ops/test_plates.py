"""The painted dishes."""

import hashlib
import io

import pytest
from PIL import Image

from apps.admin_ops.demo import plates
from apps.admin_ops.demo.restaurants import RESTAURANTS


def test_a_plate_is_the_same_picture_every_time() -> None:
    pictures = [hashlib.sha256(plates.paint("gyoza")).hexdigest() for _ in range(2)]
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("name", ["margherita", "tonkotsu", "enmoladas"])
def test_a_plate_fits_the_frame_of_the_pages(name: str) -> None:
    picture = Image.open(io.BytesIO(plates.paint(name)))
    assert picture.size == (960, 720)


def test_every_planned_picture_can_be_painted_and_every_special_has_its_dish() -> None:
    for restaurant in RESTAURANTS:
        dishes = {dish.name: dish for dish in restaurant.dishes}
        assert {dish.plate for dish in restaurant.dishes if dish.plate} <= set(plates.PLATES)
        for offer in restaurant.offers:
            assert offer.dish in dishes
            assert not offer.alternative or offer.alternative in dishes
