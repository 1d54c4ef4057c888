"""The picture that chats show for a shared link: the dish, its price, and the seats.

The server draws it because it changes with every order. Its URL contains a version, so a chat that
cached an older picture requests the new one.
"""

from django.core.cache import cache
from django.utils.text import capfirst

from apps.offers.drawing import INK, LINE_HEIGHT, MUTED, Canvas, words_of, wrapped
from apps.offers.presentation import Special

SIZE = 1200, 630  # pixels, the size OpenGraph recommends
PHOTO_WIDTH = 1000
MARGIN = 96
NAME_SIZES = 128, 100
SMALL = 66
BELOW_NAME = 300  # what the day and the price take
AIR = 72  # between the price and the seats, if there is more room
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
    spare = _write(Canvas(special, SIZE), MARGIN) - AIR
    canvas = Canvas(special, SIZE)
    canvas.photo((0, 0, PHOTO_WIDTH, canvas.height))
    _write(canvas, MARGIN + max(0, spare) // 2)
    return canvas.jpeg()


def _write(canvas: Canvas, margin: int) -> int:
    """What stands beside the photo, so far from the picture's edges; returns what is left between
    the price and what is below it."""
    special, left = canvas.special, PHOTO_WIDTH + MARGIN
    width = canvas.width - PHOTO_WIDTH - 2 * MARGIN
    # The end comes first: the name gets the lines that are left.
    bottom = left, canvas.height - margin
    end = canvas.text_above(bottom, words_of(special)[1], size=SMALL, fill=MUTED, width=width)
    # A short name leaves what is said of the seats two lines, as does having none yet.
    lines = 3 + special.opens_later - len(wrapped(special.name, NAME_SIZES[0], width, most=2))
    end = canvas.seats(left, end, width=width, size=88, lines=lines)
    top = canvas.text((left, margin), special.restaurant.name, size=SMALL, fill=MUTED, width=width)
    top += 36
    size, lines = _room_for_name(special.name, width, end - top - BELOW_NAME)
    top = canvas.text((left, top), special.name, size=size, fill=INK, width=width, most=lines)
    when = capfirst(special.serving.when)
    top = canvas.text((left, top + 12), when, size=SMALL, fill=MUTED, width=width)
    return end - canvas.price((left, top + 20), size=112)


def _room_for_name(name: str, width: int, height: int) -> tuple[int, int]:
    """The largest size at which the name is whole, else the smallest, and at most so many lines."""
    for size in NAME_SIZES:
        lines = max(1, min(3, int(height / (size * LINE_HEIGHT))))
        if " ".join(wrapped(name, size, width, most=lines)) == " ".join(name.split()):
            break
    return size, lines
