"""The picture a shared link shows in a chat: the dish, its price and how full the table is.

Drawn by the server, because it changes with every order: its address holds what it shows, so a chat
that kept an older one asks again.
"""

import io
from functools import lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.core.files.storage import default_storage
from django_vite.core.asset_loader import DjangoViteAssetLoader
from PIL import Image, ImageDraw, ImageFont, ImageOps

from apps.common import formats
from apps.offers.images import photo_jpeg_path
from apps.offers.presentation import Special
from apps.offers.seats import SeatsDrawing, draw_seats

SIZE = 1200, 630  # what OpenGraph's readers expect
# Drawn twice as large and then reduced, which smooths the circles.
WIDTH, HEIGHT = 2 * SIZE[0], 2 * SIZE[1]
PHOTO_WIDTH = 1080
MARGIN = 112
TEXT_WIDTH = WIDTH - PHOTO_WIDTH - 2 * MARGIN
CACHE_SECONDS = 60 * 60  # seconds
DISPLAY_FACE = "node_modules/.cache/fully-booked/fraunces-600.woff2"

PAPER, INK, MUTED, LINE = "#fbf8f3", "#1f1a17", "#655c54", "#e6ded2"
ACCENT, HERB = "#b4380a", "#2c6a3b"
DOT, GAP, DOTS_IN_A_ROW = 72, 20, 12


def share_image(special: Special) -> bytes:
    """The picture as a JPEG file, drawn once for what it shows."""
    key = f"share:{special.offer.pk}:{special.share_version}"
    picture: bytes | None = cache.get(key)
    if picture is None:
        picture = _draw(special)
        cache.set(key, picture, CACHE_SECONDS)
    return picture


def _draw(special: Special) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    _paste_photo(image, special)
    pen = ImageDraw.Draw(image)
    left, top = PHOTO_WIDTH + MARGIN, MARGIN
    pen.text((left, top), _cut(special.restaurant.name, 60), font=_face(60), fill=MUTED)
    top += 124
    for line in _lines(special.offer.name, 116):
        pen.text((left, top), line, font=_face(116), fill=INK)
        top += 136
    _draw_price(pen, special, (left, top + 28))
    _draw_foot(pen, special, left)
    file = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(
        file, "JPEG", quality=86, optimize=True, progressive=True
    )
    return file.getvalue()


def _paste_photo(image: Image.Image, special: Special) -> None:
    photo = special.offer.photo
    if photo is None:
        _draw_plate(image)
        return
    try:
        with default_storage.open(photo_jpeg_path(photo)) as file:
            dish = Image.open(file).convert("RGB")
    except OSError:
        _draw_plate(image)
        return
    image.paste(ImageOps.fit(dish, (PHOTO_WIDTH, HEIGHT), Image.Resampling.LANCZOS), (0, 0))


def _draw_plate(image: Image.Image) -> None:
    """The drawn plate of pages without a photo."""
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, PHOTO_WIDTH, HEIGHT), fill="#f3e4dc")
    centre = PHOTO_WIDTH / 2, HEIGHT / 2
    pen.circle(centre, 380, fill="#ffffff", outline="#d9a48e", width=8)
    pen.circle(centre, 236, outline="#d9a48e", width=6)


def _draw_price(pen: ImageDraw.ImageDraw, special: Special, at: tuple[float, float]) -> None:
    left, top = at
    now = formats.money(special.offer.special_price, special.restaurant.currency)
    was = formats.money(special.offer.regular_price, special.restaurant.currency)
    pen.text((left, top), now, font=_face(104), fill=ACCENT)
    left += _face(104).getlength(now) + 48
    pen.text((left, top + 36), was, font=_face(64), fill=MUTED)
    end = left + _face(64).getlength(was)
    pen.line((left, top + 76, end, top + 76), fill=MUTED, width=6)


def _draw_foot(pen: ImageDraw.ImageDraw, special: Special, left: int) -> None:
    """Seats and their sentence, standing on the lower margin."""
    offer = special.offer
    is_on = special.state in ("on", "sold_out", "succeeded")
    colour = HERB if is_on else ACCENT
    drawing = draw_seats(offer.ordered_portions, offer.min_preorders, offer.max_preorders)
    lines = _lines(special.sentence, 84)
    bottom = HEIGHT - MARGIN - 104 * len(lines)
    for index, line in enumerate(lines):
        pen.text((left, bottom + 104 * index), line, font=_face(84), fill=colour)
    if drawing.is_bar:
        _draw_bar(pen, drawing, (left, bottom - 104), colour)
    else:
        rows = -(-len(drawing.places) // DOTS_IN_A_ROW)
        _draw_dots(pen, drawing, (left, bottom - 48 - rows * (DOT + GAP)), colour)


def _draw_dots(
    pen: ImageDraw.ImageDraw, drawing: SeatsDrawing, at: tuple[int, float], colour: str
) -> None:
    left, top = at
    for index, place in enumerate(drawing.places):
        row, column = divmod(index, DOTS_IN_A_ROW)
        x, y = left + column * (DOT + GAP), top + row * (DOT + GAP)
        box = (x, y, x + DOT, y + DOT)
        if place.filled:
            pen.ellipse(box, fill=colour)
        else:
            pen.ellipse(box, outline=LINE if place.extra else colour, width=6)


def _draw_bar(
    pen: ImageDraw.ImageDraw, drawing: SeatsDrawing, at: tuple[int, float], colour: str
) -> None:
    left, top = at
    pen.rounded_rectangle((left, top, left + TEXT_WIDTH, top + 48), 24, fill=LINE)
    full = TEXT_WIDTH * drawing.fill / 100
    if full >= 48:
        pen.rounded_rectangle((left, top, left + full, top + 48), 24, fill=colour)
    tick = left + TEXT_WIDTH * drawing.tick / 100
    pen.line((tick, top - 16, tick, top + 64), fill=INK, width=8)


@lru_cache(maxsize=8)
def _face(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_face_file(), size)


@lru_cache(maxsize=1)
def _face_file() -> Path:
    """The built display face, where the pages' style sheet finds it too."""
    address = DjangoViteAssetLoader.instance().generate_vite_asset_url(DISPLAY_FACE)
    name = "assets/" + address.rpartition("/assets/")[2]
    found = finders.find(name)
    if not found:
        raise FileNotFoundError(f"The front end is not built: {name} is missing.")
    return Path(str(found))


def _cut(text: str, size: int) -> str:
    """The text, or its beginning with an ellipsis, on one line."""
    if _face(size).getlength(text) <= TEXT_WIDTH:
        return text
    while text and _face(size).getlength(f"{text}…") > TEXT_WIDTH:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _lines(text: str, size: int, most: int = 3) -> list[str]:
    """The text broken between words; what does not fit into `most` lines ends in an ellipsis."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _face(size).getlength(longer) <= TEXT_WIDTH:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [_cut(line, size) for line in lines]
