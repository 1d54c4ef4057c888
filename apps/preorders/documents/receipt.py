"""The receipt of a charged order, as a one-page PDF."""

from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from fpdf.enums import YPos

from apps.common import formats
from apps.preorders.core.links import order_url
from apps.preorders.core.selectors import card_of
from apps.preorders.documents.pdf import MUTED, WIDTH, Document
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus

RIGHT = 45  # of a column of amounts


def has_receipt(order: PreOrder) -> bool:
    """Whether something was paid."""
    return order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)


def receipt_of(order: PreOrder, *, with_guest: bool = True) -> bytes:
    """The receipt as of now, refunds included; `with_guest`: also who ordered and with which
    card."""
    page = _Receipt(order)
    page.head()
    page.facts(with_guest=with_guest)
    page.sums()
    page.foot(with_guest=with_guest)
    return bytes(page.output())


class _Receipt(Document):
    def __init__(self, order: PreOrder) -> None:
        self.order = order
        self.restaurant = order.offer.restaurant
        super().__init__(
            title=_("Receipt %(code)s") % {"code": order.code},
            author=self.restaurant.name,
            created_at=order.payment_processed_at or order.created_at,
        )

    def head(self) -> None:
        self.line_of_text(self.restaurant.name, size=20, bold=True, height=10)
        restaurant = self.restaurant
        for text in (restaurant.address, restaurant.phone, restaurant.email):
            if text:
                self.line_of_text(text, color=MUTED)
        if restaurant.tax_number:
            number = _("Tax number %(number)s") % {"number": restaurant.tax_number}
            self.line_of_text(number, color=MUTED)
        self.ln(8)
        self.line_of_text(_("Receipt"), size=15, bold=True, height=8)
        self.ln(1)

    def facts(self, *, with_guest: bool) -> None:
        order = self.order
        pairs = [
            (_("Order code"), order.code),
            (_("Ordered"), self._day(order.created_at)),
            (_("Charged"), self._day(order.payment_processed_at)),
            (_("For"), self._served()),
            (_("Guest"), order.customer_name if with_guest else ""),
            (_("Card"), card_of(order) if with_guest else ""),
            (_("On your statement"), order.statement_name),
        ]
        for label, value in pairs:
            if value:
                self.pair(label, value)
        self.ln(6)

    def sums(self) -> None:
        order = self.order
        sold = f"{order.quantity} × {order.served_name}"
        if order.quantity > 1:
            sold = f"{sold} ({formats.money(order.unit_price, self.restaurant.currency)})"
        self.rule()
        self._amount(sold, order.subtotal)
        self._amount(_("Tax (%(rate)s)") % {"rate": formats.rate(order.tax_rate)}, order.tax)
        self.rule()
        self._amount(_("Total charged"), order.total_amount, bold=True)
        if order.refunded_amount:
            self._amount(_("Refunded"), -order.refunded_amount)
            paid = order.total_amount - order.refunded_amount
            self._amount(_("Paid after refunds"), paid, bold=True)
        self.ln(6)

    def foot(self, *, with_guest: bool) -> None:
        currency = self.restaurant.currency.upper()
        self.line_of_text(_("All amounts in %(currency)s.") % {"currency": currency}, color=MUTED)
        reference = self.order.payment_intent_id or ""
        self.line_of_text(_("Payment reference %(id)s") % {"id": reference}, color=MUTED)
        if not with_guest:
            own_copy = _("From a shared link. The guest's own copy names the guest and the card.")
            self.line_of_text(own_copy, color=MUTED)
        self.ln(3)
        self.link_line(_("See this order online"), order_url(self.order))

    def _served(self) -> str:
        """`Thursday, Dec 3, 2026, 5:30–6:00 PM, Dine in`"""
        serving = self.order.serving
        parts = (formats.date_with_year(serving.date), serving.time, serving.mode)
        return ", ".join(part for part in parts if part)

    def _day(self, at: datetime | None) -> str:
        return formats.date_with_year(at.astimezone(self.restaurant.zone)) if at else ""

    def _amount(self, label: str, amount: Decimal, *, bold: bool = False) -> None:
        top = self.get_y()
        drawn = self.pen(label, size=11, bold=bold)
        self.multi_cell(WIDTH - RIGHT, 7, drawn, new_y=YPos.NEXT, align="L")
        bottom = self.get_y()
        self.set_xy(self.l_margin + WIDTH - RIGHT, top)
        shown = formats.money(amount, self.restaurant.currency)
        self.cell(RIGHT, 7, self.pen(shown, size=11, bold=bold), align="R")
        self.set_xy(self.l_margin, bottom)
