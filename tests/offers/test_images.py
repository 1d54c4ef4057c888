"""Uploaded pictures (DECISIONS X29)."""

import io
import os
import struct
import subprocess
import sys
import zlib
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageCms, PngImagePlugin

from apps.accounts.rate_limits import Limit
from apps.offers import images, services
from apps.offers.models import Photo, SpecialOffer
from tests.factories import DishFactory
from tests.offers.bodies import create_body, edit_body
from tests.refusals import without_codes

pytestmark = pytest.mark.django_db
ORIENTATION, GPS_INFO, TURN_RIGHT = 0x0112, 0x8825, 6
SECRET = b"taken at home"


def encoded(image, kind="JPEG", **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def picture(width=480, height=360, color="tomato", mode="RGB"):
    """Small, because it is compressed twice in every width."""
    return Image.new(mode, (width, height), color)


def upload(client, content, *, path="/api/images/upload", field="image", name="dish.jpg"):
    return client.upload(path, {field: SimpleUploadedFile(name, content, "image/jpeg")})


@pytest.fixture
def owner(api, cast):
    return api(cast.owner)


def stored(url):
    path = url.removeprefix(settings.MEDIA_URL)
    with default_storage.open(path) as file:
        content = file.read()
    return Image.open(io.BytesIO(content)), content


def test_a_picture_is_stored_in_five_widths_twice_and_one_fallback(owner, cast, platform):
    answer = upload(owner, encoded(picture(2000, 1500)))
    assert answer.status_code == 201
    photo = Photo.objects.get()
    base = f"/media/photos/{cast.restaurant.pk}/{photo.pk}"
    srcset = ", ".join(f"{base}/{width}.webp {width}w" for width in (240, 480, 720, 960, 1600))
    assert answer.json() == {
        "data": {
            "url": f"{base}/960.jpg",
            "srcset": srcset,
            "width": 2000,
            "height": 1500,
        }
    }
    for width, height in ((240, 180), (480, 360), (720, 540), (960, 720), (1600, 1200)):
        for kind in ("WEBP", "AVIF"):
            image, _ = stored(f"{base}/{width}.{kind.lower()}")
            assert (image.format, image.size) == (kind, (width, height))
    image, _ = stored(f"{base}/960.jpg")
    assert (image.format, image.size) == ("JPEG", (960, 720))


def test_the_edit_forms_address_answers_in_its_own_envelope(owner, platform):
    answer = upload(owner, encoded(picture()), path="/api/upload-image", field="file")
    assert answer.status_code == 201
    assert set(answer.json()) == {"url"}
    assert answer.json()["url"].endswith(f"{Photo.objects.get().pk}/480.jpg")


@pytest.mark.parametrize("path", ["/api/images/upload", "/api/upload-image"])
@pytest.mark.parametrize("field", ["image", "file"])
def test_either_name_of_the_field_will_do(owner, path, field):
    assert upload(owner, encoded(picture(50, 50)), path=path, field=field).status_code == 201


@pytest.mark.parametrize(
    ("size", "widths"),
    [
        ((1, 1), [1]),
        ((300, 200), [240, 300]),
        ((480, 10), [240, 480]),
        ((1200, 900), [240, 480, 720, 960, 1200]),
    ],
)
def test_a_small_picture_is_never_blown_up(owner, platform, size, widths):
    assert upload(owner, encoded(picture(*size))).status_code == 201
    assert Photo.objects.get().widths == widths


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_the_type_is_found_in_the_content(owner, kind):
    content = encoded(picture(600, 400), kind)
    assert upload(owner, content, name="whatever.txt").status_code == 201


def test_the_first_frame_of_an_animated_picture_is_stored(owner):
    frames = [picture(60, 60, "red"), picture(60, 60, "blue")]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    image, _ = stored(upload(owner, content).json()["data"]["url"])
    red, green, blue = image.convert("RGB").getpixel((30, 30))
    assert red > 200
    assert max(green, blue) < 60


def test_what_is_transparent_becomes_white(owner):
    content = encoded(picture(60, 60, (0, 0, 0, 0), "RGBA"), "PNG")
    image, _ = stored(upload(owner, content).json()["data"]["url"])
    assert min(image.convert("RGB").getpixel((30, 30))) > 250


@pytest.mark.parametrize("mode", ["L", "P", "LA", "CMYK", "1", "I;16"])
def test_unusual_kinds_of_pixels_are_understood(owner, mode):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    image = Image.new(mode, (60, 60))
    assert upload(owner, encoded(image, kind)).status_code == 201


def test_a_picture_taken_sideways_stands_upright(owner):
    exif = Image.Exif()
    exif[ORIENTATION] = TURN_RIGHT
    content = encoded(picture(400, 200), exif=exif)
    data = upload(owner, content).json()["data"]
    assert (data["width"], data["height"]) == (200, 400)
    assert stored(data["url"])[0].size == (200, 400)


def test_no_metadata_of_a_picture_is_stored(owner, platform):
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    exif.get_ifd(GPS_INFO)[1] = "N"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    comment = PngImagePlugin.PngInfo()
    comment.add_text("Comment", SECRET.decode())
    for content in (
        encoded(picture(), exif=exif, comment=SECRET, icc_profile=profile) + SECRET,
        encoded(picture(), "PNG", exif=exif, pnginfo=comment),
        encoded(picture(), "WEBP", exif=exif, xmp=SECRET),
    ):
        assert SECRET in content
        data = upload(owner, content).json()["data"]
        addresses = [part.split()[0] for part in data["srcset"].split(", ")]
        for url in (data["url"], *addresses):
            image, saved = stored(url)
            assert SECRET not in saved
            assert not image.getexif()
            assert not {"icc_profile", "comment", "xmp"} & set(image.info)


def _png_of_size(width, height):
    """A PNG of a few bytes whose header claims this size."""

    def chunk(kind, data):
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "Upload a JPEG"),
        (b"%PDF-1.7", "Upload a JPEG"),
        (b"x", "Upload a JPEG"),
        (encoded(Image.new("RGB", (20, 20)), "BMP"), "Upload a JPEG"),
        (encoded(Image.new("RGB", (20, 20)), "TIFF"), "Upload a JPEG"),
        (encoded(Image.effect_noise((300, 300), 50), "JPEG")[:3000], "We couldn't read this photo"),
        (_png_of_size(7200, 7200), "This photo has too many pixels"),
        (_png_of_size(10_000, 10_000), "This photo has too many pixels"),
        (_png_of_size(60_000, 60_000), "This photo has too many pixels"),
        (b"\xff\xd8\xff" + b"\x00" * (5 * 1024 * 1024), "This photo is larger than 5 MB"),
        (b"\xff\xd8\xff" + b"\x00" * (6 * 1024 * 1024), "This photo is larger than 5 MB"),
    ],
    ids=[
        *("svg", "pdf", "byte", "bmp", "tiff", "cut off", "wide", "wider", "bomb"),
        *("a bit too heavy", "too heavy"),
    ],
)
@pytest.mark.parametrize("field", ["image", "file"])
def test_what_is_not_a_picture_of_sensible_size_is_refused(
    owner, platform, content, message, field
):
    path = {"image": "/api/images/upload", "file": "/api/upload-image"}[field]
    answer = upload(owner, content, path=path, field=field)
    assert answer.status_code == (413 if "larger than" in message else 400)
    body = without_codes(answer.json())
    assert body["message"].startswith(message)
    assert body["errors"] == [{"field": field, "message": body["message"]}]
    assert not Photo.objects.exists()


def test_a_form_without_a_picture_is_refused(owner):
    assert owner.upload("/api/images/upload", {"image": ""}).status_code == 400
    assert owner.post("/api/images/upload", {"image": "x"}).status_code == 415


def test_only_those_who_can_change_specials_upload(api, cast, platform):
    content = encoded(picture(50, 50))
    assert upload(api(), content).status_code == 401
    assert upload(api(cast.stranger), content).status_code == 403
    assert upload(api(cast.kitchen), content).status_code == 403
    assert upload(api(cast.manager), content).status_code == 201
    assert Photo.objects.get().restaurant == cast.restaurant


class TestOnASpecial:
    @pytest.fixture
    def url(self, owner, clock):
        return upload(owner, encoded(picture())).json()["data"]["url"]

    def test_a_specials_picture_is_shown(self, owner, url):
        answer = owner.post("/api/dishes/special-offers", create_body(imageUrl=url))
        assert answer.status_code == 201
        assert answer.json()["imageUrl"] == url
        assert answer.json()["imageSrcset"].count("webp") == 2

    def test_browsers_that_know_avif_get_the_smaller_file(self, owner, api, url):
        answer = owner.post("/api/dishes/special-offers", create_body(imageUrl=url))
        page = api().get(f"/specials/{answer.json()['id']}").content.decode()
        avif, webp = page.index('type="image/avif"'), page.index('type="image/webp"')
        assert avif < webp
        assert "480.avif 480w" in page[avif:webp]

    def test_any_of_its_addresses_leads_to_it(self, owner, url, platform):
        for address in (url.replace("480.jpg", "240.avif"), f"http://localhost:8000{url}?x=1"):
            answer = owner.post("/api/dishes/special-offers", create_body(imageUrl=address))
            assert answer.json()["imageUrl"] == url

    def test_a_picture_can_be_removed_from_a_special(self, owner, url, platform):
        owner.post("/api/dishes/special-offers", create_body(imageUrl=url))
        offer = SpecialOffer.objects.get()
        path = f"/api/dishes/{offer.pk}"
        assert owner.put(path, edit_body(offer, imageUrl=url)).json()["imageUrl"] == url
        assert owner.put(path, edit_body(offer, imageUrl=...)).json()["imageUrl"] == url
        assert owner.put(path, edit_body(offer, imageUrl="")).json()["imageUrl"] is None

    def test_another_restaurants_picture_cannot_be_used(self, api, cast, url, platform):
        body = create_body(imageUrl=url)
        answer = api(cast.outsider).post("/api/dishes/special-offers", body)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "imageUrl")
        forged = url.replace(str(cast.restaurant.pk), str(cast.other.pk))
        answer = api(cast.outsider).post("/api/dishes/special-offers", body | {"imageUrl": forged})
        assert answer.status_code == 400

    def test_every_host_serves_it_for_ever(self, api, cast, url):
        for client in (api(), api(at=cast.restaurant)):
            answer = client.get(url)
            assert answer.status_code == 200
            assert answer.headers["Content-Type"] == "image/jpeg"
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert Image.open(io.BytesIO(b"".join(answer))).size == (480, 360)

    def test_no_other_file_is_served(self, api, tmp_path_factory):
        (tmp_path_factory.getbasetemp() / "secret.txt").write_text("secret")
        for path in ("secret.txt", "../secret.txt", "photos/../../secret.txt", "photos/", "photos"):
            assert api().get(f"/media/{path}").status_code == 404


# Decodes each given file in a process of its own, and prints by how many megabytes that raised the
# peak of memory. A fork's peak begins where it was forked, and nothing is imported again.
MEASURE = """
import os, resource, sys, django
django.setup()
from apps.offers.images import read_picture
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
for file in sys.argv[1:]:
    if child := os.fork():
        if os.waitpid(child, 0)[1]: sys.exit(f"{file} could not be decoded")
        continue
    before = peak()
    read_picture(open(file, "rb").read(), field="image")
    print(file, peak() - before, flush=True)
    os._exit(0)
"""
LARGEST = [
    ("PNG", "RGBA", (3160, 3160)),
    ("PNG", "P", (3160, 3160)),
    ("WEBP", "RGBA", (3160, 3160)),
    ("GIF", "P", (3160, 3160)),
    ("JPEG", "RGB", (8600, 5800)),
]


def test_the_largest_pictures_that_are_taken_need_less_than_256_megabytes(tmp_path):
    for kind, mode, size in LARGEST:
        Image.new(mode, size).save(tmp_path / f"{kind}-{mode}", kind)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MEASURE, *sorted(map(str, tmp_path.iterdir()))],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.test"},
        capture_output=True,
        text=True,
        check=True,
    )
    peaks = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines())
    assert len(peaks) == len(LARGEST)
    assert {name: peak for name, peak in peaks.items() if int(peak) >= 256} == {}


def test_a_large_png_is_stored_in_its_own_proportions_and_colors(owner):
    answer = upload(owner, encoded(picture(3200, 2400, mode="RGBA"), "PNG"))
    data = answer.json()["data"]
    assert (data["width"], data["height"]) == (1600, 1200)
    image, _ = stored(data["url"])
    red, green, blue = image.convert("RGB").getpixel((400, 300))
    assert abs(red - 255) < 6
    assert abs(green - 99) < 6
    assert abs(blue - 71) < 6


def test_a_restaurant_that_uploads_too_many_pictures_a_minute_is_told_to_wait(
    owner, monkeypatch, platform
):
    monkeypatch.setattr(services, "UPLOADS_PER_MINUTE", Limit("few-uploads", times=1, window=60))
    assert upload(owner, encoded(picture(24, 24))).status_code == 201
    answer = upload(owner, encoded(picture(24, 24)))
    assert answer.status_code == 429
    assert answer.json()["message"] == "Too many attempts. Wait 60 seconds and try again."
    assert Photo.objects.count() == 1


def test_photos_that_nothing_uses_are_deleted_after_two_weeks_with_their_files(
    owner, cast, platform
):
    used = _uploaded(owner)
    DishFactory(restaurant=cast.restaurant, photo=used)
    unused = _uploaded(owner)
    path = images.photo_jpeg_path(unused)
    later = unused.created_at + timedelta(days=14)

    assert not services.unused_photos(now=later).exists()
    assert default_storage.exists(path)
    unused_now = services.unused_photos(now=later + timedelta(seconds=1))
    assert services.delete_photos(unused_now) == 1
    assert list(Photo.objects.all()) == [used]
    assert not default_storage.exists(path)
    assert default_storage.exists(images.photo_jpeg_path(used))


def _uploaded(owner):
    upload(owner, encoded(picture(24, 24)))
    return Photo.objects.latest("created_at")


def test_files_of_an_upload_that_was_never_finished_are_deleted_after_a_day(owner, cast, platform):
    used, stray = _uploaded(owner), _uploaded(owner)
    path = images.photo_jpeg_path(stray)
    Photo.objects.filter(pk=stray.pk).delete()
    stored_at = default_storage.get_modified_time(path)
    services.delete_stray_files(stored_at + timedelta(hours=23))
    assert default_storage.exists(path)
    assert services.delete_stray_files(stored_at + timedelta(hours=25)) >= 1  # other tests' too
    assert services.delete_stray_files(stored_at + timedelta(hours=25)) == 0
    assert not default_storage.exists(path)
    assert default_storage.exists(images.photo_jpeg_path(used))
