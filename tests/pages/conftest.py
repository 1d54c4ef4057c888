"""A special of the cast's restaurant and the two hosts it can be seen at."""

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest

from apps.offers.models import SpecialOffer
from tests.conftest import NOON, Cast, Clock
from tests.factories import DishFactory, SpecialOfferFactory


@pytest.fixture(autouse=True)
def _stopped(clock: Clock) -> None:
    """Pages show times; every test sees the same ones."""


@pytest.fixture
def special(cast: Cast) -> SpecialOffer:
    """12 portions needed, 8 booked, due on Tuesday at 6 PM in New York."""
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        min_preorders=12,
        ordered_portions=8,
        reserved_portions=8,
        deadline=NOON + timedelta(days=1, hours=6),
        has_alternative=True,
        alternative_dish=DishFactory(restaurant=cast.restaurant, name="Penne al forno"),
    )


@pytest.fixture
def guest(cast: Cast, api: Any) -> Any:
    """Somebody passing by at the restaurant's own address."""
    return api(at=cast.restaurant)


def props_of(response: Any) -> Any:
    """What the page hands to its island."""
    found = re.search(
        r'<script id="props-[^"]+" type="application/json">(.*?)</script>',
        response.content.decode(),
        re.DOTALL,
    )
    assert found, "the page has no island"
    return json.loads(found[1])


def text_of(response: Any) -> str:
    """What the page says, without its markup and line breaks."""
    page = re.sub(r"<(style|script)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
