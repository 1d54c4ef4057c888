"""The look of a restaurant's pages and emails: drafted, previewed, published (decision 123)."""

import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.offers.models import Branding, Photo
from apps.offers.services import unused_photos
from apps.preorders.emails.rendering import render_order_email
from apps.preorders.models import Email
from apps.restaurants.branding import PLAIN, brand_from, brand_of
from apps.restaurants.colors import DARK, LIGHT, Color, contrast, is_readable, nearest_readable
from apps.restaurants.models import Restaurant
from tests.conftest import NOON, Cast
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory
from tests.pages import markup_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
PAGE = "/restaurant/branding"
BLUE = "#1d5b8f"
OUR_NAME = "Specials by Fully Booked"


@pytest.fixture
def luigis(cast: Cast) -> Restaurant:
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(subscription_tier="branded")
    return Restaurant.objects.get(pk=cast.restaurant.pk)


@pytest.fixture
def owner(api: Any, cast: Cast, luigis: Restaurant) -> Any:
    return api(cast.owner)


def picture(width: int = 400, height: int = 200) -> SimpleUploadedFile:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "#884422").save(data, "PNG")
    return SimpleUploadedFile("logo.png", data.getvalue(), "image/png")


def save(client: Any, **fields: Any) -> Any:
    return client.upload(f"{PAGE}/save", {"accent": "", "footer": "", **fields})


def publish(client: Any, capture: Any, **fields: Any) -> None:
    assert save(client, **fields).status_code == 302
    with capture(execute=True):
        client.post(f"{PAGE}/publish")


def specials(api: Any, restaurant: Restaurant) -> Any:
    return api(at=restaurant).get("/specials?fresh=1")


class TestColors:
    @pytest.mark.parametrize("text", ["#1D5B8F", " #1d5b8f "])
    def test_a_color_is_six_hexadecimal_digits(self, text: str) -> None:
        assert str(Color.parse(text)) == BLUE

    @pytest.mark.parametrize(
        "text", ["", "red", "#fff", "#1d5b8f;", "#1d5b8g", "url(x)", "#１d5b8f", "1d5b8f"]
    )
    def test_a_text_that_is_no_color_is_not_parsed(self, text: str) -> None:
        assert Color.parse(text) is None

    def test_contrast_is_that_of_the_standard(self) -> None:
        black, white, gray = Color(0, 0, 0), Color(255, 255, 255), Color(0x76, 0x76, 0x76)
        assert contrast(black, white) == pytest.approx(21)
        assert contrast(gray, white) == pytest.approx(4.54, abs=0.01)

    @pytest.mark.parametrize("text", ["#ffff00", "#ffffff", "#000000", "#ff6600", "#808080", BLUE])
    @pytest.mark.parametrize("backgrounds", [LIGHT, DARK])
    def test_the_nearest_color_can_be_read_and_one_that_can_stays(
        self, text: str, backgrounds: Any
    ) -> None:
        color = Color.parse(text)
        assert color
        found = nearest_readable(color, backgrounds)
        assert is_readable(found, backgrounds)
        assert (found == color) is is_readable(color, backgrounds)


class TestDraft:
    def test_a_draft_is_shown_to_its_owner_alone(
        self, owner: Any, api: Any, luigis: Restaurant
    ) -> None:
        assert save(owner, accent=BLUE, footer="Since 1962", hides_platform="on").status_code == 302
        shown = owner.get(f"{PAGE}/preview")
        assert f"--accent:light-dark({BLUE}," in shown.content.decode()
        assert "Since 1962" in text_of(shown)
        assert OUR_NAME not in text_of(shown)
        assert shown.headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in shown.headers["Content-Security-Policy"].split("; ")
        # The frame is sandboxed: what it can't run isn't there.
        for page in (shown, owner.get(f"{PAGE}/preview?page=menu")):
            markup = page.content.decode()
            assert re.findall(r'<script(?! type="application/ld\+json")', markup) == []
            assert "modulepreload" not in markup
            assert re.search(r'<link rel="stylesheet" href="[^"]+/public[^"]*\.css">', markup)
        public = specials(api, luigis)
        assert "--accent:" not in public.content.decode()
        assert OUR_NAME in text_of(public)
        assert "Only you see this until you publish it." in text_of(owner.get(PAGE))

    def test_without_a_draft_the_preview_is_what_guests_see(
        self, owner: Any, luigis: Restaurant
    ) -> None:
        shown = owner.get(f"{PAGE}/preview")
        assert OUR_NAME in text_of(shown)
        assert re.findall(r'<script(?! type="application/ld\+json")', shown.content.decode()) == []
        assert "What guests see now" in text_of(owner.get(PAGE))

    def test_publishing_shows_it_to_guests(
        self, owner: Any, api: Any, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        publish(
            owner,
            django_capture_on_commit_callbacks,
            accent=BLUE,
            footer="Since 1962",
            hides_platform="on",
            logo=picture(),
            cover=picture(1600, 500),
        )
        page = markup_of(specials(api, luigis))
        assert f"--accent:light-dark({BLUE}," in page
        assert "Since 1962" in page
        assert OUR_NAME not in page
        assert re.search(
            r'<img class="brand-logo"\s+src="/media/[^"]+\.jpg" alt="Luigi&#x27;s"', page
        )
        assert re.search(r'<img class="brand-cover" src="/media/[^"]+\.jpg" alt="">', page)
        events = LoggedEvent.objects.filter(kind="branding_published")
        assert [event.restaurant_id for event in events] == [luigis.pk]

    @pytest.mark.parametrize(
        "path", ["/privacy-policy", "/terms-of-service", "/find-order", "/follow", "/nothing-here"]
    )
    def test_every_page_with_the_restaurants_header_has_its_colors(
        self,
        owner: Any,
        api: Any,
        luigis: Restaurant,
        django_capture_on_commit_callbacks: Any,
        path: str,
    ) -> None:
        publish(owner, django_capture_on_commit_callbacks, accent=BLUE)
        assert f"--accent:light-dark({BLUE}," in markup_of(api(at=luigis).get(path))

    @pytest.mark.parametrize(
        ("layout", "has_photo"), [("list", True), ("photos", True), ("text", False)]
    )
    def test_the_menu_is_laid_out_as_published(
        self,
        api: Any,
        owner: Any,
        luigis: Restaurant,
        layout: str,
        has_photo: bool,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        photo = Photo.objects.create(restaurant=luigis, width=720, height=540, widths=[720])
        DishFactory(restaurant=luigis, name="Lasagne", photo=photo)
        save(owner, menu_layout=layout)
        draft = owner.get(f"{PAGE}/preview?page=menu").text
        assert (
            'data-layout="list"' in api(at=luigis).get("/patron?fresh=1").text,
            "Lasagne" in draft,
        ) == (True, True)
        publish(owner, django_capture_on_commit_callbacks, menu_layout=layout)
        page = api(at=luigis).get("/patron?fresh=2").text
        for each in (draft, page):
            assert f'data-layout="{layout}"' in each
            assert (str(photo.pk) in each) == has_photo

    def test_a_layout_that_we_do_not_have_is_refused(self, owner: Any) -> None:
        answer = save(owner, menu_layout="<script>")
        assert answer.status_code == 400
        assert "Choose one from the list." in text_of(answer)
        assert not Branding.objects.exists()

    def test_publishing_without_a_draft_changes_nothing(
        self, owner: Any, luigis: Restaurant
    ) -> None:
        owner.post(f"{PAGE}/publish")
        luigis.refresh_from_db()
        assert luigis.branding_options == {}
        assert not Branding.objects.exists()

    def test_discarding_goes_back_to_what_is_published(
        self, owner: Any, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        publish(owner, django_capture_on_commit_callbacks, footer="Old")
        save(owner, footer="New")
        owner.post(f"{PAGE}/discard")
        assert 'value="Old"' in owner.get(PAGE).content.decode()
        assert Restaurant.objects.get(pk=luigis.pk).branding_options["footer"] == "Old"

    def test_a_photo_stays_until_it_is_removed_and_is_never_cleaned_away(
        self, owner: Any, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        publish(owner, django_capture_on_commit_callbacks, logo=picture())
        save(owner, footer="x")
        draft = Branding.objects.get(is_published=False)
        assert draft.logo_id
        save(owner, remove_logo="on")
        draft.refresh_from_db()
        assert draft.logo_id is None
        # What is published still shows it.
        assert not unused_photos(now=NOON + timedelta(days=99)).exists()
        assert Photo.objects.count() == 1

    def test_a_photo_of_some_megabytes_gets_through_and_more_does_not(self, owner: Any) -> None:
        big = SimpleUploadedFile("logo.png", picture().read() + b"\0" * 1_000_000, "image/png")
        assert save(owner, logo=big).status_code == 302
        huge = SimpleUploadedFile("logo.png", b"\0" * 6_000_000, "image/png")
        assert save(owner, logo=huge).status_code == 413

    def test_what_is_no_picture_is_refused(self, owner: Any) -> None:
        bad = SimpleUploadedFile("logo.svg", b"<svg onload=alert(1)>", "image/svg+xml")
        answer = save(owner, logo=bad)
        assert answer.status_code == 400
        assert not Branding.objects.exists()


class TestContrast:
    def test_a_color_that_is_hard_to_read_is_refused_with_the_nearest_that_works(
        self, owner: Any
    ) -> None:
        answer = save(owner, accent="#ffcc00")
        assert answer.status_code == 400
        nearest = str(nearest_readable(Color(0xFF, 0xCC, 0x00), LIGHT))
        assert f"The nearest that works is {nearest}." in text_of(answer)
        assert f'name="accent" value="{nearest}"' in answer.content.decode()
        assert save(owner, accent=nearest).status_code == 302

    def test_both_themes_can_be_read_and_so_can_buttons(self) -> None:
        brand = brand_from({"accent": "#ffcc00"})
        light, dark = Color.parse(brand.accent_light), Color.parse(brand.accent_dark)
        assert light
        assert dark
        assert is_readable(light, LIGHT)
        assert is_readable(dark, DARK)
        assert contrast(light, Color(255, 255, 255)) >= 4.5
        assert contrast(dark, DARK[0]) >= 4.5


class TestPlans:
    def test_the_free_plan_has_none(self, api: Any, cast: Cast) -> None:
        client = api(cast.owner)
        assert "Your own look is part of the Branded plan." in text_of(client.get(PAGE))
        assert save(client, footer="x").status_code == 403
        assert not Branding.objects.exists()

    def test_a_look_ends_with_the_plan_and_comes_back_with_it(self, luigis: Restaurant) -> None:
        luigis.branding_options = {"accent": BLUE, "footer": "x", "hidesPlatform": True}
        assert brand_of(luigis).hides_platform
        luigis.subscription_tier = "free"
        assert brand_of(luigis) == PLAIN
        luigis.subscription_tier = "branded"
        assert brand_of(luigis).footer == "x"

    def test_it_is_the_owners_alone(self, api: Any, cast: Cast, luigis: Restaurant) -> None:
        for path in (PAGE, f"{PAGE}/preview"):
            assert api(cast.manager).get(path).status_code == 403
        assert api(cast.manager).post(f"{PAGE}/publish").status_code == 403


class TestInjection:
    EVIL = '</style><script>alert(1)</script>"onload="x'

    def test_nothing_in_a_footer_or_a_name_is_markup(
        self, owner: Any, api: Any, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        Restaurant.objects.filter(pk=luigis.pk).update(name=self.EVIL)
        publish(
            owner, django_capture_on_commit_callbacks, footer=self.EVIL, logo=picture(), accent=BLUE
        )
        page = specials(api, luigis).content.decode()
        assert "<script>alert(1)" not in page
        assert '"onload="' not in page
        assert page.count("</style>") == 1

    @pytest.mark.parametrize(
        "accent",
        ["red;}body{display:none", "#1d5b8f}*{color:red", "url(//evil.test)", "</style><script>"],
    )
    def test_a_color_is_nothing_but_a_color(
        self, owner: Any, luigis: Restaurant, accent: str
    ) -> None:
        assert save(owner, accent=accent).status_code == 400
        # Even if it got into the row in another way.
        assert brand_from({"accent": accent}).styles == ""

    @pytest.mark.parametrize(
        "url", ["javascript:alert(1)", "//evil.test/x.png", "data:text/html,x", 7, None]
    )
    def test_a_photo_is_no_other_link(self, url: Any) -> None:
        assert brand_from({"logo": url, "cover": url}) == PLAIN


class TestEmails:
    def test_a_guests_email_carries_the_look(
        self, owner: Any, luigis: Restaurant, django_capture_on_commit_callbacks: Any
    ) -> None:
        with rls.acting_as(luigis):
            order = PreOrderFactory(offer=SpecialOfferFactory(restaurant=luigis))
        email = Email(pre_order=order, restaurant=luigis, kind="received")
        plain = render_order_email(email)
        assert "via Fully Booked" in plain.from_email
        publish(
            owner,
            django_capture_on_commit_callbacks,
            accent=BLUE,
            footer="Since 1962",
            hides_platform="on",
            logo=picture(),
        )
        order.offer.restaurant.refresh_from_db()
        message = render_order_email(email)
        html = str(message.alternatives[0][0])
        assert f"background:{BLUE}" in html
        assert re.search(
            r'<img\s+class="logo" src="http://luigis\.localhost[^"]*/media/[^"]+\.jpg" alt="Luigi',
            html,
        )
        assert "Since 1962" in html
        assert "Since 1962" in str(message.body)
        assert "Fully Booked" not in message.from_email
