"""The files for QuickBooks and Xero follow the rules that both publish, in the busiest month. The
rules are from the pages named in `statements/csv_files.py`; neither program has imported these
files.
"""

import csv
import io
import re
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from apps.billing.figures import Figures
from apps.billing.models import Payout
from apps.preorders.statements import csv_files
from apps.preorders.statements.periods import Period
from apps.preorders.statements.selectors import PayoutLine, Statement

pytestmark = pytest.mark.django_db
MAX_LINES = 1000  # of either
MAX_BYTES = 350_000  # of QuickBooks
AMOUNT = re.compile(r"-?\d+\.\d\d")
MONTH = Period.month(date(2027, 5, 1))


def day_of(cents: int) -> Figures:
    """One day's figures with every kind of movement."""
    sold = Decimal(cents).scaleb(-2)

    def part(of: int) -> Decimal:
        return (sold / of).quantize(Decimal("0.01"))

    return Figures(
        orders=9,
        held=Decimal(0),
        released=Decimal(0),
        captured=sold,
        refunded=part(4),
        disputed=part(8),
        revenue_share=part(20),
        processing=part(25),
        dispute_fees=Decimal(0),
    )


@pytest.fixture
def busy(cast):
    """31 days with every kind of movement, the largest in thousands, and a payout on each."""
    restaurant = cast.restaurant
    restaurant.name = "Café Zoë, the “other” one"
    days = [(date(2027, 5, day), day_of(123_456_789 + day)) for day in range(1, 32)]
    payouts = [
        Payout(
            restaurant=restaurant,
            amount=Decimal("1234567.89"),
            currency="usd",
            status=Payout.Status.PAID,
            payout_id=f"po_{day}",
            created_at=datetime(2027, 5, day, 16, tzinfo=UTC),
        )
        for day in range(1, 32)
    ]
    return Statement(
        restaurant=restaurant,
        period=MONTH,
        figures=days[0][1],
        days=days,
        payouts=[PayoutLine(each, 9) for each in payouts],
        taxes=[],
        cycle=None,
        invoice=None,
    )


def file_of(rows) -> bytes:
    return b"".join(csv_files.csv_pieces(rows, mark=False, clean=False))


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8"))))


def expected_balance(statement: Statement) -> Decimal:
    paid_out = sum(each.payout.amount for each in statement.payouts)
    return sum((figures.net for _, figures in statement.days), Decimal(0)) - paid_out


def test_quickbooks_can_read_every_line(busy):
    content = file_of(csv_files.quickbooks_rows(busy))
    header, *rows = rows_of(content)
    assert header == ["Date", "Description", "Amount"]
    assert len(rows) == 31 * 6 <= MAX_LINES
    assert len(content) <= MAX_BYTES
    assert not content.startswith(b"\xef\xbb\xbf")
    for day, description, amount in rows:
        assert datetime.strptime(day, "%m/%d/%Y").replace(tzinfo=UTC).month == 5
        assert re.fullmatch("[A-Za-z ]+", description)
        assert AMOUNT.fullmatch(amount)
        assert Decimal(amount) != 0
    assert sum(Decimal(row[2]) for row in rows) == expected_balance(busy)
    assert len({tuple(row) for row in rows}) == len(rows)  # none is taken for a duplicate


def test_xero_can_read_every_line(busy):
    content = file_of(csv_files.xero_rows(busy))
    header, *rows = rows_of(content)
    assert header == ["Date", "Amount", "Payee", "Description", "Reference"]
    assert len(set(header)) == len(header)
    assert len(rows) == 31 * 6 <= MAX_LINES
    for day, amount, payee, description, reference in rows:
        assert date.fromisoformat(day).month == 5
        assert AMOUNT.fullmatch(amount)
        assert Decimal(amount) != 0
        assert payee
        assert max(map(len, (payee, description, reference))) <= 255
    assert "Payout po_3" in {row[3] for row in rows}
    assert sum(Decimal(row[1]) for row in rows) == expected_balance(busy)
