"""Pictures: what an upload becomes, where it is kept, and how a page names it.

An upload is decoded and drawn anew, so nothing of the file survives but what can be seen: no EXIF
(where it was taken, with what), no comments, no second format hidden in the first. Files are never
changed once written, so they may be cached for ever.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageCms, ImageOps

from apps.common.errors import FieldError, Invalid
from apps.offers.models import Photo
from apps.restaurants.models import Restaurant

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
WIDTHS = (240, 480, 720, 960, 1600)
FALLBACK_WIDTH = 960
# 50 megapixels is more than any phone takes and 150 MB decoded; a bomb claims far more.
MOST_PIXELS = 50_000_000
# Well under half of a WebP's bytes where a browser knows it; by eye as good. Speed 6 of 10 makes
# smaller and better files than 7 and takes about a second for an upload; 5 takes four.
AVIF_QUALITY, AVIF_SPEED = 44, 6
WEBP_QUALITY = 80
JPEG_QUALITY = 82
BEHIND_TRANSPARENCY = "white"

NOT_A_PICTURE = "Upload a picture as JPEG, PNG, WebP or GIF."
TOO_HEAVY = "The picture is larger than {limit} MB. Save it smaller and upload it again."
TOO_WIDE = "The picture has too many pixels. Save it at most 7,000 pixels wide and try again."
DAMAGED = "The picture is damaged and could not be read. Save it again and upload the new file."

_OWN_PATH = re.compile(
    r"photos/(?P<restaurant>[0-9a-f-]{36})/(?P<photo>[0-9a-f-]{36})/\d+\.(?:avif|webp|jpg)\Z"
)


@dataclass(frozen=True, slots=True)
class UploadedPicture:
    """An upload made presentable: its size, and each file's name and content."""

    width: int
    height: int
    widths: list[int]
    files: dict[str, bytes]


def read_picture(data: bytes, *, field: str) -> UploadedPicture:
    """The upload in the widths we keep, never larger than it was.

    The type is found from the content; the file's name and claimed type mean nothing. Raises
    Invalid, naming `field`, with a sentence that says what to do.
    """
    if len(data) > settings.IMAGE_MAX_BYTES:
        raise too_heavy(field)
    image = _decode(data, field)
    widths = sorted({min(width, image.width) for width in WIDTHS})
    files = {}
    for width in widths:
        resized = _at_width(image, width)
        files[f"{width}.avif"] = _encode(resized, "AVIF", quality=AVIF_QUALITY, speed=AVIF_SPEED)
        files[f"{width}.webp"] = _encode(resized, "WEBP", quality=WEBP_QUALITY, method=4)
        if width == _fallback(widths):
            files[f"{width}.jpg"] = _encode(
                resized, "JPEG", quality=JPEG_QUALITY, optimize=True, progressive=True
            )
    return UploadedPicture(image.width, image.height, widths, files)


def too_heavy(field: str) -> Invalid:
    return _refusal(field, TOO_HEAVY.format(limit=settings.IMAGE_MAX_BYTES // (1024 * 1024)))


def _refusal(field: str, message: str) -> Invalid:
    return Invalid(message, fields=[FieldError(field, message)])


def _decode(data: bytes, field: str) -> Image.Image:
    try:
        source = Image.open(io.BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _refusal(field, TOO_WIDE) from None
    except Exception:
        # Pillow's readers raise whatever a malformed header makes them raise.
        raise _refusal(field, NOT_A_PICTURE) from None
    if source.width * source.height > MOST_PIXELS:
        raise _refusal(field, TOO_WIDE)
    try:
        # For a JPEG: decode straight to about the size we need, at a fraction of the memory.
        source.draft("RGB", (2 * WIDTHS[-1], 2 * WIDTHS[-1]))
        source.load()
        return _presentable(source)
    except Exception:
        raise _refusal(field, DAMAGED) from None


def _presentable(source: Image.Image) -> Image.Image:
    """Upright, in sRGB, opaque, and without anything but its pixels."""
    image = _in_srgb(ImageOps.exif_transpose(source))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, BEHIND_TRANSPARENCY)
        ground.alpha_composite(image)
        image = ground
    bare = Image.new("RGB", image.size)
    bare.paste(image.convert("RGB"))
    return bare


def _in_srgb(image: Image.Image) -> Image.Image:
    """A phone's wide colours as every screen shows them; a profile nobody can read is dropped."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "CMYK"):
        return image
    try:
        return ImageCms.profileToProfile(  # type: ignore[return-value]  # not in place: an image
            image,
            ImageCms.ImageCmsProfile(io.BytesIO(profile)),
            ImageCms.createProfile("sRGB"),
            outputMode="RGB",
        )
    except ImageCms.PyCMSError:
        return image


def _at_width(image: Image.Image, width: int) -> Image.Image:
    if width == image.width:
        return image
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3)


def _encode(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


# --- where they are kept --------------------------------------------------------------------------
def _fallback(widths: list[int]) -> int:
    """The width the JPEG has: the widest of ours up to 960."""
    return max((width for width in widths if width <= FALLBACK_WIDTH), default=widths[0])


def _path(photo: Photo, name: str) -> str:
    return f"photos/{photo.restaurant_id}/{photo.pk}/{name}"


def store_files(photo: Photo, picture: UploadedPicture) -> None:
    for name, content in picture.files.items():
        default_storage.save(_path(photo, name), ContentFile(content))


def photo_url(photo: Photo, width: int = 960) -> str:
    """The WebP that is at least `width` wide, or the widest there is."""
    fitting = next((kept for kept in photo.widths if kept >= width), photo.widths[-1])
    return default_storage.url(_path(photo, f"{fitting}.webp"))


def photo_jpeg_path(photo: Photo) -> str:
    """Where the one JPEG is kept."""
    return _path(photo, f"{_fallback(photo.widths)}.jpg")


def photo_jpeg(photo: Photo) -> str:
    """The one JPEG: for letters, share previews, the processor's page and old browsers."""
    return default_storage.url(photo_jpeg_path(photo))


def _srcset_parts(photo: Photo, kind: str) -> Iterator[str]:
    for width in photo.widths:
        yield f"{default_storage.url(_path(photo, f'{width}.{kind}'))} {width}w"


def photo_srcset(photo: Photo) -> str:
    """Every WebP with its width, as an `<img srcset>` wants it."""
    return ", ".join(_srcset_parts(photo, "webp"))


def photo_avif_srcset(photo: Photo) -> str:
    """Every AVIF with its width; empty for a photo that was kept before there were any."""
    return ", ".join(_srcset_parts(photo, "avif")) if photo.has_avif else ""


def photo_from_url(restaurant: Restaurant, url: str) -> Photo:
    """The restaurant's own photo an address of ours leads to.

    Raises Invalid for any other address: a page never shows a picture that somebody else could
    change after publication, or use to count who looks.
    """
    found = _OWN_PATH.search(urlsplit(url).path)
    photo = None
    if found and found["restaurant"] == str(restaurant.pk):
        photo = Photo.objects.filter(pk=UUID(found["photo"]), restaurant=restaurant).first()
    if photo is None:
        raise _refusal("imageUrl", "Upload the picture first, then use the address you get back.")
    return photo
