"""The picture that chats show for a shared link: the dish, its price, and the seats.

The server draws it because it changes with every order. Its URL contains a version, so a chat that
cached an older picture requests the new one.
"""

from django.core.cache import cache

from apps.offers.drawing import INK, LINE_HEIGHT, MUTED, Canvas
from apps.offers.presentation import Special

SIZE = 1200, 630  # pixels, the size OpenGraph recommends
PHOTO_WIDTH = 1080
MARGIN = 112
NAME_SIZE = 116
BELOW_NAME = 232  # what the day and the price take
CACHE_SECONDS = 60 * 60


def share_image(special: Special) -> bytes:
    """The picture as a JPEG file; cached until what it shows changes."""
    key = f"share:{special.offer.pk}:{special.share_version}"
    picture: bytes | None = cache.get(key)
    if picture is None:
        picture = _draw(special)
        cache.set(key, picture, CACHE_SECONDS)
    return picture


def _draw(special: Special) -> bytes:
    canvas = Canvas(special, SIZE)
    canvas.photo((0, 0, PHOTO_WIDTH, canvas.height))
    left, top = PHOTO_WIDTH + MARGIN, MARGIN
    width = canvas.width - PHOTO_WIDTH - 2 * MARGIN
    # The seats come first: the name gets the lines that their sentence leaves.
    end = canvas.seats(left, canvas.height - MARGIN, width=width, size=84)
    top = canvas.text((left, top), special.restaurant.name, size=60, fill=MUTED, width=width) + 36
    room = end - top - BELOW_NAME
    lines = max(1, min(3, int(room / (NAME_SIZE * LINE_HEIGHT))))
    top = canvas.text((left, top), special.name, size=NAME_SIZE, fill=INK, width=width, most=lines)
    when = ", ".join(part for part in (special.serving.short_day, special.serving.time) if part)
    top = canvas.text((left, top + 12), when, size=60, fill=MUTED, width=width)
    canvas.price((left, top + 20), size=104)
    return canvas.jpeg()
