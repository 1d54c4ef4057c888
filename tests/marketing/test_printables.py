"""The files to print for a running special, and the short link on them."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from apps.offers.services import upload_photo
from tests.conftest import NOON
from tests.factories import SpecialOfferFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]


@pytest.fixture
def lasagna(cast):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Lasagna di Nonna",
        deadline=NOON + timedelta(days=1),
        serve_date=NOON.date() + timedelta(days=3),
        min_preorders=8,
    )


def text_of(answer):
    pages = PdfReader(BytesIO(answer.content)).pages
    assert len(pages) == 1
    return " ".join(pages[0].extract_text().split())


@pytest.mark.parametrize("kind", ["poster", "table-tent"])
def test_an_owner_prints_a_running_special(api, cast, lasagna, kind):
    answer = api(cast.owner).get(f"/restaurant/offers/{lasagna.pk}/{kind}.pdf")
    assert answer["Content-Type"] == "application/pdf"
    text = text_of(answer)
    for words in (
        "Lasagna di Nonna",
        "Luigi's",
        "$24.00 instead of $30.00",
        "Order by Tue, Mar 23, 12:00 PM EDT.",
        "We cook it if 8 portions are ordered. If not, nobody pays.",
        f"/s/{lasagna.pk.hex[:8]}",
    ):
        assert words in text, words


def test_a_poster_with_a_photo_is_small_enough_for_a_phone(api, cast, lasagna):
    data = (Path(__file__).parents[2] / "demo/images/osso_buco.webp").read_bytes()
    lasagna.photo = upload_photo(restaurant=cast.restaurant, data=data, field="image")
    lasagna.save(update_fields=["photo"])
    answer = api(cast.owner).get(f"/restaurant/offers/{lasagna.pk}/poster.pdf")
    [page] = PdfReader(BytesIO(answer.content)).pages
    assert len(page.images) == 1
    assert len(answer.content) < 600_000


@pytest.mark.parametrize("name", ["鯛の塩焼き", "Ж" * 200, "W" * 200, "🍝 (\\) <b>"])
def test_any_name_fits_on_one_page(api, cast, name):
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, name=name, deadline=NOON + timedelta(days=1)
    )
    for kind in ("poster", "table-tent"):
        text = text_of(api(cast.owner).get(f"/restaurant/offers/{offer.pk}/{kind}.pdf"))
        assert f"/s/{offer.pk.hex[:8]}" in text  # what comes after the name is there too


def test_nothing_is_printed_for_a_closed_or_foreign_special_or_an_unknown_kind(api, cast, lasagna):
    closed = SpecialOfferFactory(restaurant=cast.restaurant, deadline=NOON - timedelta(hours=1))
    owner = api(cast.owner)
    for address in (
        f"{closed.pk}/poster",
        f"{SpecialOfferFactory().pk}/poster",
        f"{lasagna.pk}/flag",
    ):
        assert owner.get(f"/restaurant/offers/{address}.pdf").status_code == 404


def test_a_short_link_leads_to_the_special(api, cast, lasagna):
    guest = api(at=cast.restaurant)
    answer = guest.get(f"/s/{lasagna.pk.hex[:8]}")
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"/specials/{lasagna.pk}")


def test_a_short_link_of_nothing_leads_to_the_list_and_never_to_another_restaurant(api, cast):
    theirs = SpecialOfferFactory()
    guest = api(at=cast.restaurant)
    for code in ("00000000", theirs.pk.hex[:8]):
        assert guest.get(f"/s/{code}")["Location"].endswith("/specials")
    assert guest.get("/s/0000000g").status_code == 404
