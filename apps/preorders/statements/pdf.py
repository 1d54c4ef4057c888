"""Statements and fee invoices as PDFs."""

from collections.abc import Iterable
from decimal import Decimal

from django.conf import settings
from fpdf.enums import XPos, YPos

from apps.billing.figures import Figures
from apps.billing.models import FeeInvoice
from apps.common import formats
from apps.preorders.documents.pdf import MUTED, WIDTH, Document
from apps.preorders.statements.selectors import Statement
from apps.restaurants.models import Restaurant

NUMBER = 30  # millimeters of a column of amounts


def sum_lines(figures: Figures) -> list[tuple[str, Decimal]]:
    """The lines that lead from what guests paid to what the restaurant gets, with their signs."""
    return [
        ("Charged to guests", figures.captured),
        ("Refunded", -figures.refunded),
        ("Taken back by guests' banks", -figures.disputed),
        ("Platform fees", -figures.revenue_share),
        ("Card processing fees", -figures.processing),
    ]


class _Page(Document):
    def __init__(self, restaurant: Restaurant, *, title: str, currency: str, **also: object):
        self.currency = currency
        super().__init__(title=title, **also)  # type: ignore[arg-type]

    def amount(self, label: str, value: Decimal, *, bold: bool = False) -> None:
        self.row([label], [value], bold=bold)

    def row(
        self, texts: Iterable[str], amounts: Iterable[Decimal | str], *, bold: bool = False
    ) -> None:
        """Texts share what the amounts leave of the width."""
        texts, amounts = list(texts), list(amounts)
        width = (WIDTH - NUMBER * len(amounts)) / len(texts)
        for text in texts:
            drawn = self.pen(text, size=10, bold=bold)
            while len(drawn) > 1 and self.get_string_width(drawn) > width - 2:
                drawn = drawn[:-1]
            self.cell(width, 6, drawn)
        for value in amounts:
            shown = value if isinstance(value, str) else formats.money(value, self.currency)
            self.cell(NUMBER, 6, self.pen(shown, size=10, bold=bold), align="R")
        self.cell(0, 6, "", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def heading(self, text: str) -> None:
        self.ln(5)
        self.line_of_text(text, size=13, bold=True, height=8)
        self.rule()


def statement_pdf(statement: Statement) -> bytes:
    """The statement as people file it."""
    restaurant, figures = statement.restaurant, statement.figures
    begin, _ = statement.period.bounds(restaurant.zone)
    page = _Page(
        restaurant,
        title=f"Statement {statement.period.label}",
        currency=restaurant.currency,
        author=restaurant.name,
        created_at=begin,
    )
    page.line_of_text(restaurant.name, size=18, bold=True, height=9)
    if restaurant.address:
        page.line_of_text(restaurant.address, color=MUTED)
    if restaurant.tax_number:
        page.line_of_text(f"Tax number {restaurant.tax_number}", color=MUTED)
    page.ln(4)
    page.line_of_text(f"Statement for {statement.period.label}", size=14, bold=True, height=8)
    state = "Closed: these figures are final." if statement.is_closed else "Not closed yet."
    page.line_of_text(f"Amounts in {restaurant.currency.upper()}. {state}", color=MUTED)
    page.heading("Summary")
    for label, value in sum_lines(figures):
        page.amount(label, value)
    page.rule()
    page.amount("To your Stripe balance", figures.net, bold=True)
    page.amount(f"Orders charged: {figures.orders}", Decimal(0) + figures.captured)
    if statement.taxes:
        page.heading("Sales tax")
        page.row(["Rate"], ["Taxable", "Tax"], bold=True)
        for line in statement.taxes:
            page.row([formats.rate(line.rate)], [line.taxable, line.tax])
    if statement.payouts:
        page.heading("Payouts")
        page.row(["Made", "Bank transfer"], ["Amount"], bold=True)
        for each in statement.payouts:
            payout = each.payout
            made = formats.day(payout.created_at.astimezone(restaurant.zone).date())
            shown = formats.money(payout.amount, payout.currency)
            page.row([made, payout.payout_id or payout.get_status_display()], [shown])
    if statement.days:
        page.heading("Days")
        page.row(["Day"], ["Charged", "Refunded", "Fees", "Net"], bold=True)
        for day, of_day in statement.days:
            amounts = [of_day.captured, -of_day.refunded, -of_day.fees, of_day.net]
            page.row([formats.day(day)], amounts)
    return bytes(page.output())


def invoice_pdf(invoice: FeeInvoice) -> bytes:
    """A fee invoice, or the credit note of a month in which more was returned than taken."""
    what = "Credit note" if invoice.total < 0 else "Invoice"
    cycle = invoice.cycle
    page = _Page(
        invoice.restaurant,
        title=f"{what} {invoice_number(invoice)}",
        currency=invoice.currency,
        author=settings.INVOICE_ISSUER[0],
        created_at=invoice.issued_at,
    )
    name, *rest = settings.INVOICE_ISSUER
    page.line_of_text(name, size=18, bold=True, height=9)
    for text in rest:
        page.line_of_text(text, color=MUTED)
    page.ln(6)
    for text in invoice.billed_to.splitlines():
        page.line_of_text(text)
    page.ln(6)
    page.line_of_text(f"{what} {invoice_number(invoice)}", size=14, bold=True, height=8)
    issued = invoice.issued_at.astimezone(invoice.restaurant.zone)
    page.pair("Issued", formats.date_with_year(issued))
    page.pair("Month", f"{cycle.cycle_start_date:%B %Y}")
    page.heading("Fees")
    page.amount("Platform fees", invoice.revenue_share)
    page.amount("Card processing fees", invoice.processing)
    page.rule()
    if invoice.tax_rate:
        page.amount("Without tax", invoice.total - invoice.tax)
        label = f"Tax {formats.rate(invoice.tax_rate)} ({invoice.jurisdiction})"
        page.amount(label, invoice.tax)
    page.amount("Total", invoice.total, bold=True)
    page.ln(4)
    page.line_of_text(
        "Nothing to pay: the fees were taken from each charge and returned with each refund.",
        color=MUTED,
    )
    return bytes(page.output())


def invoice_number(invoice: FeeInvoice) -> str:
    return f"FB-{invoice.number:06}"
