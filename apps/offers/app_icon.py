"""The mark as a PNG: four seats, three of them taken. The same drawing as `images/favicon.svg`."""

import io
from functools import lru_cache

from PIL import Image, ImageDraw

SIZES = (180, 192, 512)  # pixels: Apple's home screen, Android's, and its splash screen
UNITS = 32  # the drawing's own grid
SMOOTHING = 4  # drawn so much larger, then reduced
GROUND, SEAT = "#b4380a", "#ffffff"
RADIUS, STROKE = 4.25, 2.5
SEATS = ((10, 10, True), (22, 10, True), (10, 22, True), (22, 22, False))


@lru_cache(maxsize=len(SIZES))
def draw_icon(size: int) -> bytes:
    """A square without rounded corners: home screens cut their own."""
    unit = size * SMOOTHING / UNITS
    image = Image.new("RGB", (size * SMOOTHING, size * SMOOTHING), GROUND)
    pen = ImageDraw.Draw(image)
    for x, y, taken in SEATS:
        radius = (RADIUS + STROKE / 2) * unit
        pen.circle(
            (x * unit, y * unit),
            radius,
            fill=SEAT if taken else None,
            outline=SEAT,
            width=round(STROKE * unit),
        )
    file = io.BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()
