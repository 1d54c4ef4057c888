"""The photos of the demo's dishes, and its restaurants' logos."""

from PIL import Image

from apps.offers.images import JPEG_WIDTH
from demo.loading import IMAGES, LOGOS
from demo.restaurants import RESTAURANTS

MOST_BYTES = 60_000
MOST_BYTES_IN_ALL = 1_000_000


def test_every_photo_is_used_and_every_photo_used_is_there() -> None:
    used = {dish.image for plan in RESTAURANTS for dish in plan.dishes if dish.image}
    assert {file.stem for file in IMAGES.iterdir()} == used


def test_every_special_has_its_dish() -> None:
    for restaurant in RESTAURANTS:
        dishes = {dish.name for dish in restaurant.dishes}
        for offer in restaurant.offers:
            assert offer.dish in dishes
            assert not offer.alternative or offer.alternative in dishes


def test_the_photos_fit_the_frame_of_the_pages_and_stay_light() -> None:
    files = list(IMAGES.glob("*.webp"))
    for file in files:
        with Image.open(file) as image:
            assert image.size == (JPEG_WIDTH, JPEG_WIDTH * 3 // 4), file.name
    sizes = {file.name: file.stat().st_size for file in files}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) < MOST_BYTES_IN_ALL


def test_a_logo_is_of_a_restaurant_whose_plan_shows_it_and_light() -> None:
    branded = {plan.subdomain for plan in RESTAURANTS if plan.tier == "branded"}
    files = list(LOGOS.iterdir())
    assert {file.stem for file in files} == {"sakura"}
    assert {file.stem for file in files} <= branded
    assert all(file.stat().st_size < 10_000 for file in files)
