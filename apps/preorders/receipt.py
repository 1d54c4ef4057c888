"""The receipt of a charged order as a PDF of one page, for an expense report or a drawer.

It is set in the PDF's own face, which knows the letters of western Europe. Others are written in
the nearest of those, so that a name stays readable and nothing has to be embedded.
"""

import logging
import unicodedata
from datetime import datetime

from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import XPos, YPos

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.common import formats
from apps.preorders.models import PreOrder
from apps.preorders.romanizing import in_western_letters
from apps.preorders.states import PaymentStatus

logger = logging.getLogger(__name__)

FACE = "helvetica"
INK, MUTED, LINE = (31, 26, 23), (101, 92, 84), (230, 222, 210)
WIDTH = 170  # of the text, in millimetres
RIGHT = 45  # of a column of amounts


def has_receipt(order: PreOrder) -> bool:
    """Whether something was paid."""
    return order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)


def receipt_of(order: PreOrder) -> bytes:
    """The receipt as it stands now: what was refunded since is on it.

    Asks the processor which card was charged; without an answer the line is left out.
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
        self.order = order
        self.restaurant = order.offer.restaurant
        self.set_title(_say(_("Receipt %(code)s") % {"code": order.code}))
        self.set_author(_say(self.restaurant.name))
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
            (_("Ordered"), self._moment(order.created_at)),
            (_("Charged"), self._moment(order.payment_processed_at)),
            (_("Serve date"), formats.day(order.offer.serve_date)),
            (_("Guest"), order.customer_name),
            (_("Card"), card_of(order)),
        ]
        for label, value in pairs:
            if value:
                self._pair(label, value)
        self.ln(6)

    def sums(self) -> None:
        order = self.order
        unit = formats.money(order.unit_price)
        self._rule()
        self._amount(f"{order.quantity} × {order.served_name} ({unit})", order.subtotal)
        self._amount(_("Tax (%(rate)s)") % {"rate": formats.rate(order.tax_rate)}, order.tax)
        self._rule()
        self._amount(_("Total charged"), order.total_amount, bold=True)
        if order.refunded_amount:
            self._amount(_("Refunded"), -order.refunded_amount)
            paid = order.total_amount - order.refunded_amount
            self._amount(_("Paid in the end"), paid, bold=True)
        self.ln(6)

    def foot(self) -> None:
        currency = self.restaurant.currency.upper()
        self._line(_("All amounts in %(currency)s.") % {"currency": currency}, colour=MUTED)
        reference = self.order.payment_intent_id or ""
        self._line(_("Payment reference %(id)s") % {"id": reference}, colour=MUTED)

    def _moment(self, at: datetime | None) -> str:
        return f"{formats.moment(at, self.restaurant.zone)}, {at.year}" if at else ""

    def _pen(self, *, size: int = 10, bold: bool = False, colour: tuple[int, int, int]) -> None:
        self.set_font(FACE, "B" if bold else "", size)
        self.set_text_color(*colour)

    def _line(
        self,
        text: str,
        *,
        size: int = 10,
        bold: bool = False,
        colour: tuple[int, int, int] = INK,
        height: float = 5.5,
    ) -> None:
        self._pen(size=size, bold=bold, colour=colour)
        self.multi_cell(WIDTH, height, _say(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def _pair(self, label: str, value: str) -> None:
        self._pen(colour=MUTED)
        self.cell(38, 6, _say(label))
        self._pen(colour=INK)
        self.multi_cell(WIDTH - 38, 6, _say(value), new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def _amount(self, label: str, amount: object, *, bold: bool = False) -> None:
        self._pen(size=11, bold=bold, colour=INK)
        top = self.get_y()
        self.multi_cell(WIDTH - RIGHT, 7, _say(label), new_y=YPos.NEXT, align="L")
        bottom = self.get_y()
        self.set_xy(self.l_margin + WIDTH - RIGHT, top)
        shown = formats.money(abs(amount))  # type: ignore[arg-type]
        sign = "-" if amount < 0 else ""  # type: ignore[operator]
        self.cell(RIGHT, 7, _say(f"{sign}{shown}"), align="R")
        self.set_xy(self.l_margin, bottom)

    def _rule(self) -> None:
        self.set_draw_color(*LINE)
        self.line(self.l_margin, self.get_y() + 1, self.l_margin + WIDTH, self.get_y() + 1)
        self.ln(2.5)


def card_of(order: PreOrder) -> str:
    """`Visa ending in 4242`; empty when the processor does not say."""
    try:
        hold = gateway.retrieve_hold(order.payment_intent_id or "")
    except GatewayError as error:
        logger.warning("the card of order %s cannot be read: %s", order.pk, error)
        return ""
    if not hold.card_digits:
        return ""
    facts = {"brand": hold.card_brand.replace("_", " ").title(), "digits": hold.card_digits}
    return _("%(brand)s ending in %(digits)s") % facts


def _say(text: str) -> str:
    return in_western_letters(unicodedata.normalize("NFC", text))
