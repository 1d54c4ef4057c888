"""Statements as CSV: the entries, and what QuickBooks and Xero import.

For both programs the restaurant's balance at Stripe is a bank account: sales come in, fees,
refunds, and payouts go out, and its balance is what Stripe holds. Lines are sums of a day, so a
month stays below the 1,000 lines that both accept. Importing into either program hasn't been tried.

- QuickBooks Online takes exactly three columns, with dates as month/day/year, plain amounts that
  are negative for money out and never zero, and descriptions without special characters and
  without numbers:
  https://quickbooks.intuit.com/learn-support/en-uk/banking/import-bank-transactions-using-excel-csv-files/00/239741
  https://community.intuit.com/articles/1773081-how-to-import-bank-transactions-using-excel-csv-files
- Xero takes these columns and asks at the first import what each is; dates as year-month-day can't
  be mistaken (Xero's own page needs JavaScript; restated at
  https://taxhelp.theaccountancycloud.com/support/solutions/articles/22000180105-import-a-csv-bank-statement-file-into-xero)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.billing.figures import Figures
from apps.billing.models import ConnectAccount, PaymentHistory, Payout
from apps.common.csv_files import csv_chunks, harmless
from apps.preorders.statements.periods import Period
from apps.preorders.statements.selectors import (
    PlatformStatement,
    Statement,
    entries_of,
    orders_in,
    paid_orders,
)
from apps.restaurants.models import Restaurant

ENTRY_COLUMNS = (
    *("When", "Type", "Order", "Special", "Amount", "Currency"),
    *("Platform fee", "Card processing fee", "Change of balance", "Balance currency"),
    *("Payout", "Arrives on", "Payment", "Transfer", "Reference", "Entry", "Seal"),
)


def csv_pieces(
    rows: Iterable[Iterable[Any]], *, mark: bool = True, clean: bool = True
) -> Iterator[bytes]:
    """The file in pieces. `mark` is for spreadsheets; `clean` keeps texts from being read as
    formulas or numbers."""
    return csv_chunks(([_cell(each, clean) for each in row] for row in rows), mark=mark)


def _cell(value: Any, clean: bool) -> str:
    match value:
        case None:
            return ""
        case str():
            return harmless(value) if clean else value
        case Decimal():
            return f"{value:.2f}"
        case datetime():
            return value.isoformat(sep=" ", timespec="seconds")
        case _:
            return str(value)


# --- every entry ----------------------------------------------------------------------------------
def entry_rows(restaurant: Restaurant, period: Period) -> Iterator[Iterable[Any]]:
    """Every ledger entry of the period, oldest first; memory is constant."""
    yield ENTRY_COLUMNS
    related = ("pre_order__sold", "conversion", "payout_entry__payout", "seal")
    entries = entries_of(restaurant, period).select_related(*related)
    for entry in entries.order_by("processed_at", "pk").iterator(chunk_size=1000):
        yield _entry(entry, restaurant)


def _entry(entry: PaymentHistory, restaurant: Restaurant) -> Iterable[Any]:
    link = getattr(entry, "payout_entry", None)
    payout: Payout | None = link.payout if link else None
    seal = getattr(entry, "seal", None)
    return (
        entry.processed_at.astimezone(restaurant.zone).replace(tzinfo=None),
        entry.get_transaction_type_display(),
        entry.pre_order.code,
        entry.pre_order.sold.name,
        entry.amount,
        entry.currency.upper(),
        entry.platform_fee_amount,
        entry.processing_fee_amount,
        entry.settled,
        (entry.settled_currency or entry.currency).upper(),
        (payout.payout_id or "") if payout else "",
        payout.arrives_on if payout else "",
        entry.payment_intent_id,
        entry.transfer_id,
        entry.reference,
        entry.pk,
        seal.hash if seal else "",
    )


# --- accounting programs --------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, order=True)
class BankLine:
    """A movement of the restaurant's balance at Stripe, as a bank would list it."""

    day: date
    amount: Decimal  # never zero
    payee: str
    kind: str  # in letters alone
    reference: str  # the day, or the payout


def _bank_lines(statement: Statement) -> Iterator[BankLine]:
    """Nothing of days and kinds without money."""
    restaurant = statement.restaurant
    dated = statement.days or [(statement.period.first, statement.figures)]
    for day, figures in dated:
        for amount, payee, text in _day_lines(figures):
            if amount:
                yield BankLine(day, amount, payee, text, day.isoformat())
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    for line in statement.payouts:
        payout = line.payout
        # Payouts of converted money are in another currency than the sales.
        if account and account.currency != restaurant.currency:
            continue
        if payout.status in (Payout.Status.SENT, Payout.Status.PAID):
            day = payout.created_at.astimezone(restaurant.zone).date()
            reference = payout.payout_id or str(payout.pk)
            yield BankLine(day, -payout.amount, restaurant.name, "Payout", reference)


def _day_lines(figures: Figures) -> Iterator[tuple[Decimal, str, str]]:
    yield figures.captured, "Guests", "Sales"
    yield -figures.refunded, "Guests", "Refunds"
    yield -figures.disputed, "Guests", "Disputes"
    yield -figures.revenue_share, "Fully Booked", "Platform fees"
    yield -figures.processing, "Fully Booked", "Card processing fees"


def quickbooks_rows(statement: Statement) -> Iterator[Iterable[Any]]:
    yield ("Date", "Description", "Amount")
    for line in sorted(_bank_lines(statement)):
        yield (f"{line.day:%m/%d/%Y}", line.kind, line.amount)


def xero_rows(statement: Statement) -> Iterator[Iterable[Any]]:
    yield ("Date", "Amount", "Payee", "Description", "Reference")
    for line in sorted(_bank_lines(statement)):
        description = f"{line.kind} {line.reference}"
        reference = f"FB-{statement.period.name}"
        yield (line.day.isoformat(), line.amount, line.payee, description, reference)


# --- tax, payouts, the platform -------------------------------------------------------------------
def tax_rows(statement: Statement) -> Iterator[Iterable[Any]]:
    yield (
        *("Month", "Country", "State", "Rate in percent", "Orders"),
        *("Sold without tax", "Tax on it", "Refunded without tax", "Tax in refunds"),
        *("Taxable", "Tax", "Currency"),
    )
    restaurant = statement.restaurant
    for line in statement.taxes:
        yield (
            *(statement.period.name, restaurant.country, restaurant.state, line.rate),
            *(line.orders, line.sold, line.sold_tax, line.refunded, line.refunded_tax),
            *(line.taxable, line.tax, restaurant.currency.upper()),
        )


def payout_rows(payout: Payout) -> Iterator[Iterable[Any]]:
    yield ("Order", "Special", "Serve date", "Amount", "Currency", "Payout", "Arrives on")
    for order in paid_orders(orders_in(payout)):
        yield (
            *(order.code, order.offer_name, order.serve_date, order.amount),
            *(payout.currency.upper(), payout.payout_id or "", payout.arrives_on),
        )


def platform_rows(statement: PlatformStatement) -> Iterator[Iterable[Any]]:
    yield (
        *("Month", "Restaurant", "Currency", "Orders", "Charged", "Refunded", "Disputed"),
        *("Platform fees", "Card processing fees", "Dispute fees", "To the restaurant"),
    )
    for line in statement.lines:
        figures = line.figures
        yield (
            *(statement.period.name, line.name, line.currency.upper(), figures.orders),
            *(figures.captured, figures.refunded, figures.disputed, figures.revenue_share),
            *(figures.processing, figures.dispute_fees, figures.net),
        )
