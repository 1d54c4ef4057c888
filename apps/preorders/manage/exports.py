"""The orders as a table for a spreadsheet: CSV, sent as it is read, and XLSX.

Both hold the list's columns for the list's filter. Memory and statements stay the same however many
orders there are.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from tempfile import TemporaryFile
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from apps.preorders.documents.pickup import slot_label
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant

# What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection).
_FORMULA = re.compile(r"[=+\-@\t\r\n]")
# Text it would take for a number: `0171 23`, `12E45678`, and longer ones than it can count.
_NUMBER = re.compile(r"\d[\d.,\s]*(E[\d\s]+)?", re.IGNORECASE)
# Neither a file's name nor a cell may hold these.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")
BOM = "\ufeff"  # without it a spreadsheet takes UTF-8 for something else
MOST_ROWS_OF_XLSX = 100_000
ROWS_AT_ONCE = 200  # lines of CSV sent together
PIECE = 64 * 1024  # bytes of a workbook sent together

MONEY = "0.00"


@dataclass(frozen=True, slots=True)
class Column:
    """`form` is the spreadsheet's number format; `width` in characters."""

    title: str
    width: int = 12
    form: str = ""


COLUMNS = (
    Column("Code", 10),
    Column("Special", 32),
    Column("Serve day", 12),
    Column("Pick-up", 16),
    Column("Name", 24),
    Column("Email", 30),
    Column("Phone", 18),
    Column("Portions", 9),
    Column("Served", 32),
    Column("Wish", 40),
    Column("Total", 10, MONEY),
    Column("Refunded", 10, MONEY),
    Column("Currency", 9),
    Column("Status", 14),
    Column("Payment", 16),
    Column("Ordered by", 16),
    Column("Ordered at", 17),
)


def cells_of(order: PreOrder, restaurant: Restaurant) -> list[Any]:
    """One order's cells in the order of `COLUMNS`; times in the restaurant's zone."""
    return [
        order.code,
        order.offer.name,
        order.offer.serve_date,
        slot_label(order),
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


def harmless(text: str) -> str:
    """Text of a CSV file that no spreadsheet takes for a formula or a number. Such a file cannot
    say what is text, so an apostrophe says it, before `+1 212 555 0199` and `2125550199` too."""
    clean = _CONTROL.sub("", text)
    is_text = not (_FORMULA.match(clean) or _NUMBER.fullmatch(clean))
    return clean if is_text else f"'{clean}"


class _Line:
    """A file whose writes come back: the csv module's lines, to be sent as they are made."""

    def write(self, line: str) -> str:
        return line


def csv_lines(orders: Iterable[PreOrder], *, restaurant: Restaurant) -> Iterator[bytes]:
    """The file in pieces: UTF-8 with a byte order mark, lines as RFC 4180 has them."""
    writer = csv.writer(_Line())
    pieces = [BOM, writer.writerow(column.title for column in COLUMNS)]
    for order in orders:
        pieces.append(writer.writerow(_as_text(cells_of(order, restaurant))))
        if len(pieces) >= ROWS_AT_ONCE:
            yield "".join(pieces).encode()
            pieces.clear()
    yield "".join(pieces).encode()


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
    """The workbook in pieces; its rows go to a temporary file as they are read."""
    with TemporaryFile() as file:
        _write_book(orders, restaurant, file)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _write_book(orders: Iterable[PreOrder], restaurant: Restaurant, file: IO[bytes]) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Orders")
    sheet.freeze_panes = "A2"
    for place, column in enumerate(COLUMNS, start=1):
        sheet.column_dimensions[get_column_letter(place)].width = column.width
    sheet.append([_cell(sheet, column.title, bold=True) for column in COLUMNS])
    for order in orders:
        cells = zip(cells_of(order, restaurant), COLUMNS, strict=True)
        sheet.append([_cell(sheet, value, form=column.form) for value, column in cells])
    book.save(file)


def _cell(sheet: Any, value: Any, *, form: str = "", bold: bool = False) -> Any:
    """What a row holds: a plain value, or a cell where one is needed, which takes ten times as
    long. Text stays text, whatever it begins with and also when somebody edits it; days and moments
    have their number format from the library."""
    if isinstance(value, str):
        value = _CONTROL.sub("", value)
    is_formula_like = isinstance(value, str) and bool(_FORMULA.match(value))
    if not (form or bold or is_formula_like):
        return value
    cell = WriteOnlyCell(sheet, value=value)
    if is_formula_like:
        cell.data_type = "s"
        cell.quotePrefix = True
    if form:
        cell.number_format = form
    if bold:
        cell.font = Font(bold=True)
    return cell


def export_file_name(kind: str, *, what: str) -> str:
    """`orders-osso-buco-2026-11-26.csv`: `what` says whose, in plain letters."""
    letters = unicodedata.normalize("NFKD", what).encode("ascii", "ignore").decode()
    words = _NOT_IN_A_NAME.sub("-", letters).strip("-").lower()[:80]
    return f"orders-{words}.{kind}" if words else f"orders.{kind}"
