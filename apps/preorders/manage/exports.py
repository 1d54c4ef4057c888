"""Exports of orders for spreadsheets: streamed CSV, and XLSX.

Both use the order list's filters. Memory and queries are constant, whatever the number of orders.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from tempfile import TemporaryFile
from typing import IO, Any

from xlsxwriter import Workbook

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.csv_files import (
    csv_chunks,
    harmless,
    starts_a_formula,
    without_control_characters,
)
from apps.preorders.core.selectors import slot_label
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")
MAX_XLSX_ROWS = 100_000
CHUNK_BYTES = 64 * 1024  # of a workbook

MONEY_FORMAT = "0.00"
DAY_FORMAT = "yyyy-mm-dd"
MOMENT_FORMAT = "yyyy-mm-dd h:mm:ss"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `width` is in characters."""

    title: str
    width: int = 12


COLUMNS = (
    Column("Code", 10),
    Column("Special", 32),
    Column("Serve date", 12),
    Column("Pickup", 16),
    Column("Service", 9),
    Column("Name", 24),
    Column("Email", 30),
    Column("Phone", 18),
    Column("Portions", 9),
    Column("Dish served", 32),
    Column("Special requests", 40),
    Column("Total", 10),
    Column("Refunded", 10),
    Column("Currency", 9),
    Column("Status", 14),
    Column("Payment", 16),
    Column("Source", 16),
    Column("Ordered at", 17),
)


def cells_of(order: PreOrder, restaurant: Restaurant) -> list[Any]:
    """The cells of one order, matching `COLUMNS`; times are in the restaurant's time zone."""
    return [
        order.code,
        order.sold.name,
        order.offer.serve_date,
        slot_label(order),
        str(order.served_mode.label),
        order.customer_name,
        order.customer_email,
        order.customer_phone,
        order.quantity,
        order.served_name,
        order.note,
        order.total_amount,
        order.refunded_amount,
        restaurant.currency.upper(),
        order.get_status_display(),
        order.get_payment_status_display(),
        order.get_source_display(),
        order.created_at.astimezone(restaurant.zone).replace(tzinfo=None, microsecond=0),
    ]


def csv_lines(orders: Iterable[PreOrder], *, restaurant: Restaurant) -> Iterator[bytes]:
    """The CSV file in chunks."""
    return csv_chunks(_rows(orders, restaurant))


def _rows(orders: Iterable[PreOrder], restaurant: Restaurant) -> Iterator[Iterable[str]]:
    yield (column.title for column in COLUMNS)
    for order in orders:
        yield _as_text(cells_of(order, restaurant))


def _as_text(cells: list[Any]) -> Iterator[str]:
    for cell in cells:
        match cell:
            case str():
                yield harmless(cell)
            case datetime():
                yield cell.isoformat(sep=" ", timespec="minutes")
            case Decimal():
                yield f"{cell:.2f}"
            case _:
                yield str(cell)


def xlsx_pieces(orders: Iterable[PreOrder], *, restaurant: Restaurant) -> Iterator[bytes]:
    """The workbook in chunks; its rows go to a temporary file as they are read."""
    with TemporaryFile() as file:
        _write_workbook(orders, restaurant, file)
        file.seek(0)
        while piece := file.read(CHUNK_BYTES):
            yield piece


def _write_workbook(orders: Iterable[PreOrder], restaurant: Restaurant, file: IO[bytes]) -> None:
    with Workbook(file, {"constant_memory": True}) as workbook:
        sheet = workbook.add_worksheet("Orders")
        sheet.freeze_panes(1, 0)
        bold = workbook.add_format({"bold": True})
        for index, column in enumerate(COLUMNS):
            sheet.set_column(index, index, column.width)
            sheet.write_string(0, index, column.title, bold)
        money = workbook.add_format({"num_format": MONEY_FORMAT})
        day = workbook.add_format({"num_format": DAY_FORMAT})
        moment = workbook.add_format({"num_format": MOMENT_FORMAT})
        # Text that looks like a formula stays text, even after someone edits the cell.
        text = workbook.add_format({"quote_prefix": True})
        for row, order in enumerate(orders, start=1):
            for index, cell in enumerate(cells_of(order, restaurant)):
                match cell:
                    case "":
                        pass
                    case str():
                        clean = without_control_characters(cell)
                        sheet.write_string(
                            row, index, clean, text if starts_a_formula(clean) else None
                        )
                    case datetime():
                        sheet.write_datetime(row, index, cell, moment)
                    case date():
                        sheet.write_datetime(row, index, cell, day)
                    case Decimal():
                        sheet.write_number(row, index, cell, money)
                    case _:
                        sheet.write_number(row, index, cell)


def export_file_name(kind: str, *, what: str) -> str:
    """A file name such as `orders-osso-buco-2026-11-26.csv`; `what` is reduced to ASCII."""
    characters = unicodedata.normalize("NFKD", what).encode("ascii", "ignore").decode()
    words = _NOT_IN_A_NAME.sub("-", characters).strip("-").lower()[:80]
    return f"orders-{words}.{kind}" if words else f"orders.{kind}"


def export_orders(
    kind: str, rows: Iterable[PreOrder], *, restaurant: Restaurant, now: datetime
) -> Iterator[bytes]:
    """The pieces of the file, `csv` or `xlsx`. The export is in the activity log before any row is
    read."""
    record(Kind.ORDERS_EXPORTED, restaurant=restaurant, format=kind, now=now)
    pieces = xlsx_pieces if kind == "xlsx" else csv_lines
    return pieces(rows, restaurant=restaurant)
