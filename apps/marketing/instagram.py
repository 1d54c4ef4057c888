"""Pictures to post on Instagram, which takes a picture and no link: a square and a story.

A post can't link anywhere, so both show the price, the deadline, and an address to type.
"""

from collections.abc import Callable

from apps.offers.drawing import INK, MUTED, Box, Canvas, words_of
from apps.offers.presentation import Special

MARGIN = 128


def square(special: Special) -> bytes:
    """A post of 1080 by 1080 pixels, as JPEG."""
    canvas = Canvas(special, (1080, 1080))
    _compose(canvas, photo=(0, 0, canvas.width, 920), bottom=canvas.height - 96, name_lines=2)
    return canvas.jpeg()


def story(special: Special) -> bytes:
    """A story of 1080 by 1920 pixels, as JPEG.

    Its text keeps clear of the upper 250 and the lower 380 pixels, where the app shows its own
    controls (unverified: Instagram documents no figures).
    """
    canvas = Canvas(special, (1080, 1920))
    bottom = canvas.height - round(canvas.height * 0.2)
    _compose(canvas, photo=(0, 0, canvas.width, 1760), bottom=bottom, name_lines=3)
    return canvas.jpeg()


def _compose(canvas: Canvas, *, photo: Box, bottom: int, name_lines: int) -> None:
    special = canvas.special
    left, width = MARGIN, canvas.width - 2 * MARGIN
    canvas.photo(photo)
    top = canvas.text(
        (left, photo[3] + 56), special.restaurant.name, size=60, fill=MUTED, width=width
    )
    top = canvas.text(
        (left, top + 8), special.name, size=124, fill=INK, width=width, most=name_lines
    )
    canvas.price((left, top + 32), size=108)
    address = special.short_url.partition("://")[2]
    low = bottom - 70
    canvas.text((left, low), address, size=56, fill=canvas.accent, width=width)
    low = canvas.text_above((left, low), words_of(special)[1], size=56, fill=INK, width=width)
    canvas.seats(left, low - 32, width=width, size=80)


PICTURES: dict[str, Callable[[Special], bytes]] = {"square": square, "story": story}
