"""The app icon as a PNG: four seats, three of them taken, as in `images/favicon.svg`."""

import io
from functools import lru_cache

from PIL import Image, ImageDraw

SIZES = (180, 192, 512)  # pixels: home screen of iOS and of Android, Android's splash screen
GRID_UNITS = 32  # the drawing's width and height; coordinates below are in these units
OVERSAMPLING = 4  # drawn this many times larger, then reduced, for smooth edges
BACKGROUND_COLOR, SEAT_COLOR = "#b4380a", "#ffffff"
RADIUS, STROKE = 4.25, 2.5
SEATS = ((10, 10, True), (22, 10, True), (10, 22, True), (22, 22, False))


@lru_cache(maxsize=len(SIZES))
def draw_icon(size: int) -> bytes:
    """The icon, `size` pixels wide, as a square: home screens round the corners themselves."""
    unit = size * OVERSAMPLING / GRID_UNITS
    image = Image.new("RGB", (size * OVERSAMPLING, size * OVERSAMPLING), BACKGROUND_COLOR)
    pen = ImageDraw.Draw(image)
    for x, y, taken in SEATS:
        radius = (RADIUS + STROKE / 2) * unit
        pen.circle(
            (x * unit, y * unit),
            radius,
            fill=SEAT_COLOR if taken else None,
            outline=SEAT_COLOR,
            width=round(STROKE * unit),
        )
    file = io.BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()
