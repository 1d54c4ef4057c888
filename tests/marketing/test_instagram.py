"""The pictures to post on Instagram."""

import io
from datetime import timedelta

import pytest
from PIL import Image

from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
SIZES = {"square": (1080, 1080), "story": (1080, 1920)}
BLUE = (0x1D, 0x5B, 0x8F)


def path(offer, kind="square"):
    return f"/restaurant/offers/{offer.pk}/instagram-{kind}.jpg"


def picture(client, offer, kind="square", query=""):
    answer = client.get(f"{path(offer, kind)}{query}")
    assert answer.status_code == 200
    return Image.open(io.BytesIO(answer.content))


def near(image, color):
    """The number of pixels that are nearly this color."""
    small = image.convert("RGB").resize((270, image.height // 4))
    colors = small.getcolors(small.width * small.height) or []
    return sum(
        number
        for number, each in colors
        if max(abs(a - b) for a, b in zip(each, color, strict=True)) < 24
    )


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize(
    "name",
    ["Osso buco", "Braised lamb shank with saffron risotto " * 5, "鯛の塩焼き", "🍝 (\\) <b>"],
)
def test_an_owner_downloads_a_picture_for_any_name(api, cast, kind, name):
    offer = SpecialOfferFactory(restaurant=cast.restaurant, name=name.strip()[:200])
    answer = api(cast.owner).get(path(offer, kind))
    image = Image.open(io.BytesIO(answer.content))
    assert (image.format, image.size) == ("JPEG", SIZES[kind])
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert answer["Content-Disposition"].endswith(f'-{kind}.jpg"')


def test_the_picture_has_the_restaurants_color_and_the_chosen_language(api, cast):
    offer = SpecialOfferFactory(restaurant=cast.restaurant, ordered_portions=2, min_preorders=6)
    owner = api(cast.owner)
    plain = picture(owner, offer)
    assert near(plain, BLUE) == 0
    assert picture(owner, offer, query="?lang=es").tobytes() != plain.tobytes()
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(
        subscription_tier="branded", branding_options={"accent": "#1d5b8f"}
    )
    assert near(picture(owner, offer), BLUE) > 100


def test_a_storys_text_keeps_clear_of_the_apps_controls(api, cast):
    offer = SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco " * 20)
    image = picture(api(cast.owner), offer, "story").convert("L")
    low = image.crop((0, 1920 - 370, 1080, 1920))
    assert low.getextrema()[0] > 230  # nothing but paper


def test_there_is_none_of_a_closed_or_foreign_special_or_of_another_kind(api, cast):
    closed = SpecialOfferFactory(restaurant=cast.restaurant, deadline=NOON - timedelta(hours=1))
    foreign = SpecialOfferFactory(restaurant=cast.other)
    open_one = SpecialOfferFactory(restaurant=cast.restaurant)
    owner = api(cast.owner)
    for address in (path(closed), path(foreign), path(open_one, "reel")):
        assert owner.get(address).status_code == 404
