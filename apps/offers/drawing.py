"""A canvas for the pictures that the server draws of a special: photo, text, price, and seats."""

import io
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _
from django_vite.core.asset_loader import DjangoViteAssetLoader
from noto_cjk_sans_jp_regular import FONT_PATH
from PIL import Image, ImageDraw, ImageFont, ImageOps

from apps.common import formats
from apps.common.templatetags.built_assets import DISPLAY_FONT
from apps.offers.images import photo_jpeg_path
from apps.offers.opening import when_in_short
from apps.offers.presentation import Special
from apps.offers.seats import SeatsDrawing, condition, draw_seats
from apps.restaurants.branding import ACCENT, brand_of

PAPER, INK, MUTED, LINE = "#fbf8f3", "#1f1a17", "#655c54", "#e6ded2"
HERB = "#2c6a3b"
# Everything is drawn at twice the size and then reduced, which smooths the circles.
SCALE = 2
DOT, GAP = 72, 20
LINE_HEIGHT = 1.22  # of the font's size
SEVERAL_LINES = 0.72  # of the size of a sentence that fits one line
BALANCE_STEP = 24
# Beside a plate with a radius of 35, around its center, as on the pages (.plate in content.css).
FORK = (
    ((-47, -25), (-47, -13), (-46, -10), (-43.5, -9), (-41, -10), (-40, -13), (-40, -25)),
    ((-43.5, -25), (-43.5, 25)),
)
KNIFE = (((43.5, 25), (43.5, -25), (45.1, -19), (46.2, -12), (46.6, -5), (46.5, 4), (43.5, 4)),)
WORD = re.compile(r"(?:\S|\xa0)+")  # "6:00 p.\xa0m." stays on one line

Box = tuple[int, int, int, int]  # left, top, right, bottom


class Canvas:
    """A picture of a special in its restaurant's color. All lengths are in drawn pixels, `SCALE` of
    which make one of the file's."""

    def __init__(self, special: Special, size: tuple[int, int]) -> None:
        self.special = special
        self.size = size
        self.width, self.height = SCALE * size[0], SCALE * size[1]
        self.accent = brand_of(special.restaurant).accent_light or ACCENT
        if special.state == "failed":
            self.accent = MUTED  # nothing calls for an order
        self.image = Image.new("RGB", (self.width, self.height), PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def photo(self, box: Box) -> None:
        """The dish's photo, cropped to the box; without one, a plate."""
        photo = self.special.offer.photo
        if photo is None:
            self._plate(box)
            return
        try:
            with default_storage.open(photo_jpeg_path(photo)) as file:
                dish = Image.open(file).convert("RGB")
        except OSError:
            self._plate(box)
            return
        size = box[2] - box[0], box[3] - box[1]
        self.image.paste(ImageOps.fit(dish, size, Image.Resampling.LANCZOS), box[:2])

    def _plate(self, box: Box) -> None:
        left, top, right, bottom = box
        self.pen.rectangle(box, fill="#f3e4dc")
        center = (left + right) / 2, (top + bottom) / 2
        radius = min(right - left, bottom - top) * 0.32
        self.pen.circle(center, radius, fill="#ffffff", outline="#d9a48e", width=8)
        self.pen.circle(center, radius * 0.62, outline="#d9a48e", width=6)
        unit = radius / 35
        for stroke in (*FORK, *KNIFE):
            points = [(center[0] + x * unit, center[1] + y * unit) for x, y in stroke]
            self.pen.line(points, fill="#d9a48e", width=round(1.6 * unit), joint="curve")
            for end in (points[0], points[-1]):
                self.pen.circle(end, 0.8 * unit, fill="#d9a48e")

    def text(
        self, at: tuple[int, int], text: str, *, size: int, fill: str, width: int, most: int = 1
    ) -> int:
        """Write the text on at most so many lines, cut with an ellipsis; returns where it ends."""
        left, top = at
        step = round(size * LINE_HEIGHT)
        for line in wrapped(text, size, width, most=most):
            self.pen.text((left, top), line, font=font(size, line), fill=fill)
            top += step
        return top

    def text_above(
        self, at: tuple[int, int], text: str, *, size: int, fill: str, width: int
    ) -> int:
        """Write the text on at most three lines that end at the point; returns where it begins."""
        left, bottom = at
        top = bottom - round(size * LINE_HEIGHT) * len(wrapped(text, size, width, most=3))
        self.text((left, top), text, size=size, fill=fill, width=width, most=3)
        return top

    def price(self, at: tuple[int, int], *, size: int) -> int:
        """The special price, and the regular one struck through; returns where they end."""
        left, top = at
        offer, currency = self.special.offer, self.special.restaurant.currency
        now = formats.money(offer.special_price, currency)
        was = formats.money(offer.regular_price, currency)
        small = round(size * 0.62)
        self.pen.text((left, top), now, font=font(size, now), fill=self.accent)
        start = left + font(size, now).getlength(now) + size * 0.46
        self.pen.text((start, top + size * 0.35), was, font=font(small, was), fill=MUTED)
        struck = top + size * 0.73
        end = start + font(small, was).getlength(was)
        self.pen.line((start, struck, end, struck), fill=MUTED, width=6)
        return top + round(size * LINE_HEIGHT)

    def seats(self, left: int, bottom: int, *, width: int, size: int, lines: int = 1) -> int:
        """The seats with their sentence below, ending at `bottom`; returns where they begin. A
        sentence of more than so many lines is smaller. What can't be ordered yet has no seats."""
        offer = self.special.offer
        is_on = self.special.state in ("on", "sold_out", "succeeded")
        color = HERB if is_on else self.accent
        sentence = words_of(self.special)[0]
        if len(wrapped(sentence, size, width, most=3)) > lines:
            size = round(size * SEVERAL_LINES)
        top = self.text_above((left, bottom), sentence, size=size, fill=color, width=width)
        if self.special.opens_later:
            return top - 48
        drawing = draw_seats(offer.ordered_portions, offer.min_preorders, offer.max_preorders)
        if drawing.is_bar:
            begin = top - 104
            self._bar(drawing, (left, begin), width, color)
        else:
            in_a_row = max(1, min(12, (width + GAP) // (DOT + GAP)))
            rows = -(-len(drawing.dots) // in_a_row)
            in_a_row = -(-len(drawing.dots) // rows)  # rows of like length
            begin = top - 48 - rows * (DOT + GAP)
            self._dots(drawing, (left, begin), in_a_row, color)
        return begin

    def _dots(self, drawing: SeatsDrawing, at: tuple[int, int], in_a_row: int, color: str) -> None:
        left, top = at
        for index, dot in enumerate(drawing.dots):
            row, column = divmod(index, in_a_row)
            x, y = left + column * (DOT + GAP), top + row * (DOT + GAP)
            box = (x, y, x + DOT, y + DOT)
            if dot.filled:
                self.pen.ellipse(box, fill=color)
            else:
                self.pen.ellipse(box, outline=color, width=6)

    def _bar(self, drawing: SeatsDrawing, at: tuple[int, int], width: int, color: str) -> None:
        left, top = at
        self.pen.rounded_rectangle((left, top, left + width, top + 48), 24, fill=LINE)
        full = width * drawing.fill / 100
        if full >= 48:
            self.pen.rounded_rectangle((left, top, left + full, top + 48), 24, fill=color)

    def jpeg(self) -> bytes:
        """The picture in its final size."""
        file = io.BytesIO()
        self.image.resize(self.size, Image.Resampling.LANCZOS).save(
            file, "JPEG", quality=86, optimize=True, progressive=True
        )
        return file.getvalue()


def words_of(special: Special) -> tuple[str, str]:
    """The words in large type, and those below them: when orders close, or when they open."""
    if special.opens_later:
        opens = when_in_short(special.offer, now=special.now)
        rule = condition(special.offer)
        return (rule, opens) if rule else (opens, "")
    order_by = _("Order by %(deadline)s") % {"deadline": special.deadline}
    return special.sentence, order_by if special.takes_orders else ""


def wrapped(text: str, size: int, width: int, *, most: int) -> list[str]:
    """The text wrapped at words, in lines of like length; the last of `most` lines is cut with an
    ellipsis if needed."""
    lines = _filled(text, size, width)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    else:
        for narrower in range(width, 0, -BALANCE_STEP):
            balanced = _filled(text, size, narrower)
            if len(balanced) > len(lines):
                break
            lines = balanced
    return [_cut(line, size, width) for line in lines]


def _filled(text: str, size: int, width: int) -> list[str]:
    lines: list[str] = []
    for word in WORD.findall(text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font(size, text).getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(text: str, size: int, width: int) -> str:
    used = font(size, text)
    if used.getlength(text) <= width:
        return text
    while text and used.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def font(size: int, text: Sequence[str]) -> ImageFont.FreeTypeFont:
    """The display font; for what it hasn't, some signs and other scripts, one with Greek, Cyrillic,
    Chinese, Japanese, and Korean."""
    has_all = all(map(_is_in_display_font, set("".join(text))))
    return _font(str(_display_font() if has_all else FONT_PATH), size)


@lru_cache(maxsize=1024)
def _is_in_display_font(character: str) -> bool:
    """What the font hasn't, it draws as nothing."""
    display = _font(str(_display_font()), 32)
    return character.isspace() or display.getmask(character).getbbox() is not None


@lru_cache(maxsize=24)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size)


@lru_cache(maxsize=1)
def _display_font() -> Path:
    """The built display font, the same file that the pages' style sheet uses."""
    address = DjangoViteAssetLoader.instance().generate_vite_asset_url(DISPLAY_FONT)
    name = "assets/" + address.rpartition("/assets/")[2]
    found = finders.find(name)
    if not found:
        raise FileNotFoundError(f"The front end is not built: {name} is missing.")
    return Path(str(found))
