"""What a restaurant prints for a running special: a window poster, and table tents to cut and fold.

US paper of 8.5 by 11 inches. The QR code leads to the special by its short address, which
is printed too.
"""

import io

import segno
from django.core.files.storage import default_storage
from fpdf.enums import Align
from PIL import Image, ImageOps

from apps.common import formats
from apps.offers.images import photo_jpeg_path
from apps.offers.presentation import Special
from apps.preorders.documents.pdf import INK, MUTED, Document

PAGE_WIDTH, PAGE_HEIGHT = 215.9, 279.4  # millimeters
MARGIN = 18
ACCENT = (180, 56, 10)
JPEG_QUALITY = 88
LARGEST_CODE = 96.0
# About so much of a code's side, so that its dark part lines up with what is beside it.
QUIET_SHARE = 0.1
QUIET_ZONE = 4  # modules around the code: https://www.qrcode.com/en/howto/code.html


def window_poster(special: Special) -> bytes:
    """One page with the photo, the dish and a code that is scanned from two steps away."""
    page = _Printable(special, "Poster")
    top: float = MARGIN
    if picture := _photo(special, (PAGE_WIDTH - 2 * MARGIN) / 92):
        page.image(picture, MARGIN, MARGIN, PAGE_WIDTH - 2 * MARGIN, 92)
        top += 92 + 8
    page.head(top, size=44, width=PAGE_WIDTH - 2 * MARGIN, left=MARGIN)
    top = page.get_y() + 4
    side = min(LARGEST_CODE, PAGE_HEIGHT - MARGIN - top)
    page.code(MARGIN - side * QUIET_SHARE, top, side)
    beside = MARGIN + side + 6
    page.set_y(top + side * QUIET_SHARE)
    page.terms(size=18, width=PAGE_WIDTH - MARGIN - beside, left=beside)
    return bytes(page.output())


def table_tent(special: Special) -> bytes:
    """Two halves, the upper one turned by half a circle: fold in the middle, and it stands."""
    page = _Printable(special, "Table tent")
    half = PAGE_HEIGHT / 2
    page.set_draw_color(*MUTED)
    page.set_dash_pattern(dash=2, gap=2)
    page.line(0, half, PAGE_WIDTH, half)
    page.set_dash_pattern()
    page.half(half)
    with page.rotation(180, PAGE_WIDTH / 2, half):
        page.half(half)
    return bytes(page.output())


class _Printable(Document):
    def __init__(self, special: Special, kind: str) -> None:
        self.special = special
        super().__init__(
            title=f"{kind}: {special.offer.name}",
            author=special.restaurant.name,
            created_at=special.now,
        )
        self.set_auto_page_break(auto=False)

    def half(self, top: float) -> None:
        """What one side of a table tent shows: the text on the left, the code on the right."""
        side = 84.0
        left = PAGE_WIDTH - MARGIN - side
        self.head(top + MARGIN, size=26, width=left - MARGIN - 4, left=MARGIN)
        self.terms(size=13, width=left - MARGIN - 4, left=MARGIN)
        self.code(left, top + MARGIN - side * QUIET_SHARE, side)

    def head(self, top: float, *, size: int, width: float, left: float) -> None:
        """Restaurant, dish, and prices."""
        offer, restaurant = self.special.offer, self.special.restaurant
        self.set_y(top)
        self._text(restaurant.name, size=size // 2, color=MUTED, width=width, left=left)
        # A long name takes three lines of a smaller size.
        shrunk = size if len(offer.name) <= 40 else max(14, size * 40 // len(offer.name))
        self._text(offer.name[:160], size=shrunk, bold=True, width=width, left=left)
        now = formats.money(offer.special_price, restaurant.currency)
        was = formats.money(offer.regular_price, restaurant.currency)
        self._text(
            f"{now} instead of {was}",
            size=size * 2 // 3, bold=True, color=ACCENT, width=width, left=left,
        )  # fmt: skip

    def terms(self, *, size: int, width: float, left: float) -> None:
        """When the special is served, how many orders it needs by when, and how to order."""
        served = formats.day(self.special.offer.serve_date)
        self._text(
            f"Served {served}. Order by {self.special.deadline}.",
            size=size, bold=True, width=width, left=left,
        )  # fmt: skip
        least = formats.portions(self.special.offer.min_preorders)
        terms = f"We cook it if {least} are ordered. If not, nobody pays."
        if self.special.offer.goes_ahead:
            terms = "It's on."
        self._text(f"Scan to order. {terms}", size=size, width=width, left=left)
        self._text(
            short_address(self.special),
            size=size * 3 // 4, color=MUTED, width=width, left=left,
        )  # fmt: skip

    def code(self, left: float, top: float, side: float) -> None:
        """The QR code as squares, so that it is sharp in any size."""
        rows = list(
            segno.make(self.special.short_url, error="m", micro=False).matrix_iter(
                border=QUIET_ZONE
            )
        )
        module = side / len(rows)
        self.set_fill_color(*INK)
        for y, row in enumerate(rows):
            for x, is_dark in enumerate(row):
                if is_dark:
                    self.rect(left + x * module, top + y * module, module, module, style="F")

    def _text(
        self,
        text: str,
        *,
        size: int,
        width: float,
        left: float,
        bold: bool = False,
        color: tuple[int, int, int] = INK,
    ) -> None:
        drawn = self.pen(text, size=size, bold=bold, color=color)
        self.set_x(left)
        self.multi_cell(width, size * 0.45, drawn, align=Align.L)
        self.set_y(self.get_y() + size * 0.12)


def short_address(special: Special) -> str:
    """The short link as people type it."""
    return special.short_url.partition("://")[2]


def _photo(special: Special, ratio: float) -> io.BytesIO | None:
    """The photo cropped to width : height. As a JPEG, which a PDF takes as it is; pixels alone make
    it ten times as large."""
    photo = special.offer.photo
    if photo is None:
        return None
    try:
        with default_storage.open(photo_jpeg_path(photo)) as file:
            picture = Image.open(file).convert("RGB")
    except OSError:
        return None
    jpeg = io.BytesIO()
    fitted = ImageOps.fit(picture, (1600, round(1600 / ratio)), Image.Resampling.LANCZOS)
    fitted.save(jpeg, "JPEG", quality=JPEG_QUALITY)
    return jpeg
