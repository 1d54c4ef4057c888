"""What search engines, chats, and home screens find; and the legal pages."""

import io
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from tests.conftest import Cast, Clock
from tests.factories import SpecialOfferFactory
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("clock")


def share_address(page: str) -> str:
    return page.partition('property="og:image" content="')[2].partition('"')[0]


class TestTheSharedPicture:
    def test_the_picture_has_the_size_that_chats_expect(
        self, api: Any, cast: Cast, clock: Clock
    ) -> None:
        special = SpecialOfferFactory(restaurant=cast.restaurant)
        answer = api(at=cast.restaurant).get(f"/specials/{special.pk}/share.jpg")
        image = Image.open(io.BytesIO(answer.content))
        assert (image.format, image.size) == ("JPEG", (1200, 630))
        assert answer["Content-Type"] == "image/jpeg"

    def test_the_pictures_address_changes_with_the_seats(
        self, api: Any, cast: Cast, clock: Clock
    ) -> None:
        special = SpecialOfferFactory(restaurant=cast.restaurant, ordered_portions=3)
        guest = api(at=cast.restaurant)
        before = share_address(guest.get(f"/specials/{special.pk}").content.decode())
        with rls.acting_as(rls.PLATFORM):
            SpecialOffer.objects.filter(pk=special.pk).update(ordered_portions=4)
        after = share_address(guest.get(f"/specials/{special.pk}?x=1").content.decode())
        assert before.endswith(tuple("0123456789abcdef"))
        assert f"/specials/{special.pk}/share.jpg?v=" in before
        assert before != after

    def test_a_long_name_and_a_big_table_fit(self, api: Any, cast: Cast, clock: Clock) -> None:
        special = SpecialOfferFactory(
            restaurant=cast.restaurant,
            name="Ribollita, slowly cooked with black cabbage and beans, for cold evenings " * 2,
            min_preorders=60,
            max_preorders=200,
            ordered_portions=80,
        )
        answer = api(at=cast.restaurant).get(f"/specials/{special.pk}/share.jpg")
        assert answer.status_code == 200

    def test_anothers_and_a_deleted_special_have_none(
        self, api: Any, cast: Cast, clock: Clock
    ) -> None:
        theirs = SpecialOfferFactory(restaurant=cast.other)
        gone = SpecialOfferFactory(restaurant=cast.restaurant, status=OfferStatus.DELETED)
        for special in (theirs, gone):
            answer = api(at=cast.restaurant).get(f"/specials/{special.pk}/share.jpg")
            assert answer.status_code == 404


def test_each_host_has_its_own_sitemap(api: Any, cast: Cast, clock: Clock) -> None:
    special = SpecialOfferFactory(restaurant=cast.restaurant)
    SpecialOfferFactory(restaurant=cast.other)
    answer = api(at=cast.restaurant).get("/sitemap.xml")
    assert answer["Content-Type"] == "application/xml"
    addresses = [each.text for each in ElementTree.fromstring(answer.content).iter() if each.text]
    places = [a.split(":8000")[-1].split(":")[-1] for a in addresses if a.startswith("http")]
    assert [place[place.index("/") :] for place in places] == [
        "/patron",
        "/specials",
        f"/specials/{special.pk}",
    ]
    platform = api().get("/sitemap.xml").content.decode()
    assert str(special.pk) not in platform
    assert "/privacy-policy</loc>" in platform


def test_robots_are_told_to_leave_private_pages_alone(api: Any, cast: Cast) -> None:
    at_restaurant = api(at=cast.restaurant).get("/robots.txt").content.decode()
    assert "Disallow: /api/" in at_restaurant
    assert "Disallow: /restaurant\n" not in at_restaurant
    assert f"Sitemap: http://{cast.restaurant.subdomain}.localhost" in at_restaurant
    assert "Disallow: /restaurant\n" in api().get("/robots.txt").content.decode()


def test_the_security_contact_is_at_its_known_address(
    api: Any, cast: Cast, clock: Clock, settings: Any
) -> None:
    path = "/.well-known/security.txt"
    assert api().get(path).status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@fullybooked.example"
    for visitor in (api(), api(at=cast.restaurant)):
        answer = visitor.get(path)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.content.decode().splitlines() == [
            "Contact: mailto:security@fullybooked.example",
            "Expires: 2027-09-18T16:00:00Z",
            "Canonical: http://localhost:8000/.well-known/security.txt",
            "Preferred-Languages: en",
        ]


def test_a_phone_can_keep_the_restaurant_on_its_home_screen(api: Any, cast: Cast) -> None:
    guest = api(at=cast.restaurant)
    manifest = guest.get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert manifest.json()["name"] == cast.restaurant.name
    assert manifest.json()["start_url"] == "/patron"
    for entry in manifest.json()["icons"]:
        image = Image.open(io.BytesIO(guest.get(entry["src"]).content))
        assert f"{image.width}x{image.height}" == entry["sizes"]
    assert guest.get("/icon-4000.png").status_code == 404
    assert api().get("/manifest.webmanifest").json()["name"] == "Fully Booked"


class TestLegalPages:
    @pytest.mark.parametrize(
        ("path", "title"),
        [
            ("/terms", "Terms of Service for restaurants"),
            ("/terms-of-service", "Terms of Service"),
            ("/privacy-policy", "Privacy Policy"),
        ],
    )
    def test_each_says_when_it_was_changed_last(
        self, api: Any, cast: Cast, path: str, title: str
    ) -> None:
        for guest in (api(), api(at=cast.restaurant)):
            page = text_of(guest.get(path))
            assert f"{title} In short: " in page
            assert "Last updated: " in page

    @pytest.mark.parametrize(
        ("query", "back"),
        [
            ("", "/restaurant"),
            ("?returnTab=register", "/restaurant?tab=register"),
            ("?returnTab=elsewhere", "/restaurant"),
        ],
    )
    def test_back_leads_to_the_form_that_was_being_filled_in(
        self, api: Any, cast: Cast, query: str, back: str
    ) -> None:
        for path in ("/privacy-policy", "/terms", "/terms-of-service"):
            assert f'href="{back}"' in api().get(f"{path}{query}").content.decode()

    def test_guests_are_led_back_to_the_menu(self, api: Any, cast: Cast) -> None:
        page = api(at=cast.restaurant).get("/terms-of-service?returnTab=register")
        assert 'href="/patron"' in page.content.decode()
