"""Photo uploads: decoding, storage, and URLs.

An upload is decoded and re-encoded, so only its pixels survive: no EXIF data (place, camera), no
comments, no second format hidden in the file. Stored files never change, so they can be cached
forever.
"""

import io
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _
from PIL import Image, ImageCms, ImageOps
from PIL.JpegImagePlugin import JpegImageFile

from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid
from apps.offers.models import Photo
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
WIDTHS = (240, 480, 720, 960, 1600)  # pixels
JPEG_WIDTH = 960  # pixels
# More than most phones take. A JPEG is decoded at a fraction of its size; the other formats are
# decoded whole, with 4 bytes for each pixel, and then reduced.
MAX_JPEG_PIXELS = 50_000_000
MAX_PIXELS = 10_000_000
# Except that libjpeg stores a JPEG of several scans whole, as coefficients of 2 bytes, before its
# first row: https://github.com/libjpeg-turbo/libjpeg-turbo/blob/main/doc/libjpeg.txt, "Progressive
# JPEG support". 150 MB at most.
MAX_COEFFICIENTS = 75_000_000
# It goes through the whole image for each scan, and a scan takes as little as 40 bytes. Programs
# write about ten. What looks like a scan in a file's other data counts too.
MAX_SCANS = 200
_START_OF_SCAN = b"\xff\xda"
# One upload at a time in each process: it takes up to about 230 MB.
_decoding = threading.BoundedSemaphore(1)
# Looks as good as the WebP at well under half the size, and as quality 44, which is 12 % larger.
# Speed 6 of 10 makes smaller and better files than 7 and takes about a second per upload; speed 5
# takes four.
AVIF_QUALITY, AVIF_SPEED = 40, 6
WEBP_QUALITY = 80
JPEG_QUALITY = 82
TRANSPARENCY_BACKGROUND = "white"

NOT_A_PICTURE = "Upload a JPEG, PNG, WebP, or GIF."
TOO_HEAVY = "This photo is larger than {limit} MB. Upload a smaller one."
TOO_WIDE = "This photo has too many pixels. Upload a JPEG, or one at most 3,000 pixels wide."
TOO_WIDE_JPEG = "This photo has too many pixels. Upload one that is at most 7,000 pixels wide."
TOO_WIDE_IN_SCANS = "This photo has too many pixels. Upload one that is at most 4,000 pixels wide."
DAMAGED = "We couldn't read this photo because the file is damaged. Upload another one."

_PHOTO_PATH = re.compile(
    r"photos/(?P<restaurant>[0-9a-f-]{36})/(?P<photo>[0-9a-f-]{36})/\d+\.(?:avif|webp|jpg)\Z"
)


@dataclass(frozen=True, slots=True)
class UploadedPicture:
    """A re-encoded upload: its size in pixels, and the files to store by name."""

    width: int
    height: int
    widths: list[int]
    files: dict[str, bytes]


def read_picture(data: bytes, *, field: str) -> UploadedPicture:
    """Re-encode an upload in the widths we store, never larger than the original.

    Detects the type from the content and ignores the file's name and claimed type. Raises Invalid,
    naming `field`, with a message that says what to do.
    """
    if len(data) > settings.IMAGE_MAX_BYTES:
        raise too_heavy(field)
    with _decoding:
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
    """The error for an upload with too many bytes."""
    message = TOO_HEAVY.format(limit=settings.IMAGE_MAX_BYTES // (1024 * 1024))
    return Invalid(message, code=ErrorCode.TOO_LARGE, fields=[FieldError(field, message)])


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
    pixels = source.width * source.height
    if source.format == "JPEG" and pixels > MAX_JPEG_PIXELS:
        raise _refusal(field, TOO_WIDE_JPEG)
    if source.format != "JPEG" and pixels > MAX_PIXELS:
        raise _refusal(field, TOO_WIDE)
    if isinstance(source, JpegImageFile):
        if data.count(_START_OF_SCAN) > MAX_SCANS:
            raise _refusal(field, DAMAGED)
        if _has_several_scans(source, data) and pixels * source.layers > MAX_COEFFICIENTS:
            raise _refusal(field, TOO_WIDE_IN_SCANS)
    try:
        # Lets a JPEG be decoded at about the size we need, with a fraction of the memory.
        source.draft("RGB", (WIDTHS[-1], max(1, WIDTHS[-1] * source.height // source.width)))
        source.load()
        return _presentable(_reduced(source))
    except Exception:
        raise _refusal(field, DAMAGED) from None


def _has_several_scans(source: JpegImageFile, data: bytes) -> bool:
    """Whether libjpeg will read the JPEG in several scans: it is progressive, or its first scan
    doesn't have all of its components. The segments before the first scan say so; what can't be
    followed counts as yes.

    https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1.1.4 and B.2.3
    """
    if "progressive" in source.info:
        return True
    start = 2
    while data[start : start + 2] != _START_OF_SCAN:
        if data[start : start + 1] != b"\xff":
            return True
        if data[start + 1 : start + 2] == b"\xff":  # a fill byte
            start += 1
        else:
            start += 2 + int.from_bytes(data[start + 2 : start + 4], "big")
    components = data[start + 4 : start + 5]
    return components != bytes([source.layers])


def _reduced(source: Image.Image) -> Image.Image:
    """The image at a whole fraction of its size, still larger than what is stored."""
    factor = source.width // WIDTHS[-1]
    if factor < 2:
        return source
    if source.mode == "P":  # colors of a palette can't be averaged
        source = source.convert("RGBA" if "transparency" in source.info else "RGB")
    reduced = source.reduce(factor)
    reduced.info = source.info  # its orientation and color profile
    return reduced


def _presentable(source: Image.Image) -> Image.Image:
    """The image upright, in sRGB, opaque, and without metadata."""
    image = _in_srgb(ImageOps.exif_transpose(source))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        background = Image.new("RGBA", image.size, TRANSPARENCY_BACKGROUND)
        background.alpha_composite(image)
        image = background
    bare = Image.new("RGB", image.size)
    bare.paste(image.convert("RGB"))
    return bare


def _in_srgb(image: Image.Image) -> Image.Image:
    """Converts wide-gamut colors to sRGB; drops a color profile that can't be read."""
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


# --- storage and URLs -----------------------------------------------------------------------------
def _fallback(widths: list[int]) -> int:
    """Width of the JPEG in pixels: the largest stored width up to 960."""
    return max((width for width in widths if width <= JPEG_WIDTH), default=widths[0])


def _path(photo: Photo, name: str) -> str:
    return f"photos/{photo.restaurant_id}/{photo.pk}/{name}"


def store_files(photo: Photo, picture: UploadedPicture) -> None:
    """Write the picture's files to the media storage."""
    for name, content in picture.files.items():
        default_storage.save(_path(photo, name), ContentFile(content))


def delete_files(photo: Photo) -> None:
    """Delete the photo's files from the media storage."""
    for width in photo.widths:
        for kind in ("avif", "webp"):
            default_storage.delete(_path(photo, f"{width}.{kind}"))
    default_storage.delete(photo_jpeg_path(photo))


def stored_photos() -> Iterator[tuple[UUID, set[UUID]]]:
    """The photos that have files in the media storage: a restaurant's id and its photos' ids."""
    for restaurant_id in _ids_in("photos"):
        yield restaurant_id, _ids_in(f"photos/{restaurant_id}")


def _ids_in(folder: str) -> set[UUID]:
    found = set()
    with suppress(FileNotFoundError):
        for name in default_storage.listdir(folder)[0]:
            with suppress(ValueError):
                found.add(UUID(name))
    return found


def delete_folder(restaurant_id: UUID, photo_id: UUID, *, before: datetime) -> bool:
    """Delete a photo's files if all were stored before that time; returns whether they were."""
    folder = f"photos/{restaurant_id}/{photo_id}"
    files = [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    if any(default_storage.get_modified_time(each) >= before for each in files):
        return False
    for each in files:
        default_storage.delete(each)
    with suppress(OSError):  # an object store has no folders
        default_storage.delete(folder)
    return bool(files)


def photo_url(photo: Photo, width: int = 960) -> str:
    """URL of the smallest WebP at least `width` pixels wide, or of the widest one."""
    fitting = next((each for each in photo.widths if each >= width), photo.widths[-1])
    return default_storage.url(_path(photo, f"{fitting}.webp"))


def photo_jpeg_path(photo: Photo) -> str:
    """Storage path of the JPEG."""
    return _path(photo, f"{_fallback(photo.widths)}.jpg")


def photo_jpeg(photo: Photo) -> str:
    """URL of the JPEG, for emails, link previews, Stripe's page, and old browsers."""
    return default_storage.url(photo_jpeg_path(photo))


def photo_address(photo: Photo | None, restaurant: Restaurant) -> str:
    """Absolute URL of the JPEG, for who reads it elsewhere; empty without a photo."""
    if photo is None:
        return ""
    return urljoin(absolute_url("/", restaurant=restaurant), photo_jpeg(photo))


def _srcset_parts(photo: Photo, kind: str) -> Iterator[str]:
    for width in photo.widths:
        yield f"{default_storage.url(_path(photo, f'{width}.{kind}'))} {width}w"


def photo_srcset(photo: Photo) -> str:
    """All WebP files with their widths, as the value of `srcset`."""
    return ", ".join(_srcset_parts(photo, "webp"))


def photo_avif_srcset(photo: Photo) -> str:
    """All AVIF files with their widths, as the value of `srcset`."""
    return ", ".join(_srcset_parts(photo, "avif"))


@dataclass(frozen=True, slots=True)
class PhotoSources:
    """A photo's URLs: AVIF and WebP in several widths, and one JPEG at `url` as the fallback.

    `width` and `height` are in pixels.
    """

    url: str
    avif_srcset: str
    srcset: str
    width: int
    height: int


@dataclass(frozen=True)
class DishPicture:
    """A dish's photo; `name` is its text alternative."""

    name: str
    picture: PhotoSources | None


@dataclass(frozen=True)
class MorePicture:
    """One more photo of a special; `name` is its text alternative."""

    dish: str
    number: int
    picture: PhotoSources | None

    @property
    def name(self) -> str:
        return _("%(dish)s, photo %(number)s") % {"dish": self.dish, "number": self.number}


def photo_sources(photo: Photo | None) -> PhotoSources | None:
    """The photo's URLs for pages; None without a photo, and pages draw a plate instead."""
    if photo is None:
        return None
    return PhotoSources(
        photo_jpeg(photo),
        photo_avif_srcset(photo),
        photo_srcset(photo),
        photo.width,
        photo.height,
    )


def photo_from_url(restaurant: Restaurant, url: str, *, field: str = "imageUrl") -> Photo:
    """The restaurant's own photo behind one of our URLs.

    Raises Invalid, naming `field`, for any other URL: pages never show a picture that somebody
    else could change after publication or use to track visitors.
    """
    match = _PHOTO_PATH.search(urlsplit(url).path)
    photo = None
    if match and match["restaurant"] == str(restaurant.pk):
        photo = Photo.objects.filter(pk=UUID(match["photo"]), restaurant=restaurant).first()
    if photo is None:
        raise _refusal(field, "Upload the photo first, then send the URL you get back.")
    return photo
