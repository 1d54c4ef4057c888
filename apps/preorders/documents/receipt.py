"""The receipt of a charged order, as a one-page PDF.

The PDF's built-in font covers western Europe and needs no embedding. Text in other scripts is set
in Noto, with only the characters used embedded; it is loaded only then, since that takes half a
second.
"""

import logging
import unicodedata
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import cast

from django.core.cache import cache
from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import TTFFont
from noto_cjk_sans_jp_regular import FONT_PATH

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common import formats
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus

logger = logging.getLogger(__name__)

CARD_CACHED_SECONDS = 60

FACE = "helvetica"
WIDE_FACE = "noto"  # Greek, Cyrillic, Chinese, Japanese and Korean; one weight
INK, MUTED, LINE = (31, 26, 23), (101, 92, 84), (230, 222, 210)
WIDTH = 170  # of the text, in millimeters
RIGHT = 45  # of a column of amounts


def has_receipt(order: PreOrder) -> bool:
    """Whether something was paid."""
    return order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)


def receipt_of(order: PreOrder) -> bytes:
    """The receipt as of now, refunds included.

    Asks the payment provider which card was charged; without an answer that line is left out.
    """
    page = _Receipt(order)
    page.head()
    page.facts()
    page.sums()
    page.foot()
    return bytes(page.output())


class _Receipt(FPDF):
    def __init__(self, order: PreOrder) -> None:
        super().__init__(format="letter")
        self.core_fonts_encoding = ENCODING
        self.order = order
        self.restaurant = order.offer.restaurant
        self.set_title(_("Receipt %(code)s") % {"code": order.code})
        self.set_author(self.restaurant.name)
        self.set_creation_date(order.payment_processed_at or order.created_at)
        self.set_margins(23, 22)
        self.set_auto_page_break(auto=True, margin=20)
        self.add_page()

    def head(self) -> None:
        self._line(self.restaurant.name, size=20, bold=True, height=10)
        for text in (self.restaurant.address, self.restaurant.phone, self.restaurant.email):
            if text:
                self._line(text, colour=MUTED)
        self.ln(8)
        self._line(_("Receipt"), size=15, bold=True, height=8)
        self.ln(1)

    def facts(self) -> None:
        order = self.order
        pairs = [
            (_("Order code"), order.code),
            (_("Ordered"), self._day(order.created_at)),
            (_("Charged"), self._day(order.payment_processed_at)),
            (_("Served on"), formats.date_with_year(order.offer.serve_date)),
            (_("Guest"), order.customer_name),
            (_("Card"), card_of(order)),
        ]
        for label, value in pairs:
            if value:
                self._pair(label, value)
        self.ln(6)

    def sums(self) -> None:
        order = self.order
        unit = formats.money(order.unit_price, self.restaurant.currency)
        self._rule()
        self._amount(f"{order.quantity} × {order.served_name} ({unit})", order.subtotal)
        self._amount(_("Tax (%(rate)s)") % {"rate": formats.rate(order.tax_rate)}, order.tax)
        self._rule()
        self._amount(_("Total charged"), order.total_amount, bold=True)
        if order.refunded_amount:
            self._amount(_("Refunded"), -order.refunded_amount)
            paid = order.total_amount - order.refunded_amount
            self._amount(_("Paid after refunds"), paid, bold=True)
        self.ln(6)

    def foot(self) -> None:
        currency = self.restaurant.currency.upper()
        self._line(_("All amounts in %(currency)s.") % {"currency": currency}, colour=MUTED)
        reference = self.order.payment_intent_id or ""
        self._line(_("Payment reference %(id)s") % {"id": reference}, colour=MUTED)

    def _day(self, at: datetime | None) -> str:
        return formats.date_with_year(at.astimezone(self.restaurant.zone)) if at else ""

    def _pen(
        self,
        text: str,
        *,
        size: int = 10,
        bold: bool = False,
        colour: tuple[int, int, int] = INK,
    ) -> str:
        """Select a font that can draw the text, and return the text as that font can draw it."""
        self.set_text_color(*colour)
        western = in_western_glyphs(text, is_western)
        if SUBSTITUTES not in western:
            self.set_font(FACE, "B" if bold else "", size)
            return western
        if WIDE_FACE not in self.fonts:
            self.add_font(WIDE_FACE, fname=str(FONT_PATH))
        self.set_font(WIDE_FACE, size=size)
        characters = cast(TTFFont, self.fonts[WIDE_FACE]).cmap
        return in_western_glyphs(text, lambda character: ord(character) in characters).replace(
            SUBSTITUTES, "?"
        )

    def _line(
        self,
        text: str,
        *,
        size: int = 10,
        bold: bool = False,
        colour: tuple[int, int, int] = INK,
        height: float = 5.5,
    ) -> None:
        drawn = self._pen(text, size=size, bold=bold, colour=colour)
        self.multi_cell(WIDTH, height, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def _pair(self, label: str, value: str) -> None:
        self.cell(38, 6, self._pen(label, colour=MUTED))
        drawn = self._pen(value)
        self.multi_cell(WIDTH - 38, 6, drawn, new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def _amount(self, label: str, amount: Decimal, *, bold: bool = False) -> None:
        top = self.get_y()
        drawn = self._pen(label, size=11, bold=bold)
        self.multi_cell(WIDTH - RIGHT, 7, drawn, new_y=YPos.NEXT, align="L")
        bottom = self.get_y()
        self.set_xy(self.l_margin + WIDTH - RIGHT, top)
        shown = formats.money(amount, self.restaurant.currency)
        self.cell(RIGHT, 7, self._pen(shown, size=11, bold=bold), align="R")
        self.set_xy(self.l_margin, bottom)

    def _rule(self) -> None:
        self.set_draw_color(*LINE)
        self.line(self.l_margin, self.get_y() + 1, self.l_margin + WIDTH, self.get_y() + 1)
        self.ln(2.5)


def card_of(order: PreOrder) -> str:
    """`Visa ending in 4242`; empty when the payment provider does not say."""
    cached = f"receipt-card:{order.payment_intent_id}"
    facts: dict[str, str] | None = cache.get(cached)
    if facts is None:
        try:
            hold = gateway.retrieve_intent(order.payment_intent_id or "")
        except GatewayError as error:
            logger.warning("the card of order %s cannot be read: %s", order.pk, error)
            return ""
        facts = {"brand": hold.card_brand.replace("_", " ").title(), "digits": hold.card_digits}
        cache.set(cached, facts, CARD_CACHED_SECONDS)
    return _("%(brand)s ending in %(digits)s") % facts if facts["digits"] else ""


# Replacements for characters that a PDF font does not have.


ENCODING = "windows-1252"  # what the PDF's built-in fonts can draw

SUBSTITUTES = "\N{REPLACEMENT CHARACTER}"

# Latin letters that Unicode does not decompose into a base letter and a mark.
_LATIN = {"ł": "l", "đ": "d", "ı": "i", "ħ": "h", "ŋ": "ng", "ẞ": "SS"}


def is_western(character: str) -> bool:
    """Whether the PDF's built-in fonts have this character."""
    try:
        character.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return character.isprintable() or character == "\n"


def in_western_glyphs(text: str, has: Callable[[str], bool]) -> str:
    """The text in characters for which `has` is true. Others lose their accents; `SUBSTITUTES`
    replaces those without a plain form, and symbols such as emoji are left out."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        character if has(character) else _likeness(character, has) for character in composed
    )


def _likeness(character: str, has: Callable[[str], bool]) -> str:
    if plain := _LATIN.get(character.lower()):
        return plain if character.islower() else plain.capitalize()
    parts = unicodedata.normalize("NFKD", character)
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    if bare and all(has(part) for part in bare):
        return bare
    return SUBSTITUTES if unicodedata.category(character)[0] in "LN" else ""
